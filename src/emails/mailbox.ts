import { isAddress } from '../platform/mail-address.ts'

/** One address with the name it is shown under; `address` as its owner wrote it, its domain perhaps in Unicode. */
export type Mailbox = { name: string | null; address: string }

const textLengthMax = 1000 // ours: an address of 320 and a name no client would show whole
const controlCharacter = /\p{Cc}/u
/** RFC 5322 3.2.3: of these none may stand in an unquoted name, and where one does, several mailboxes or a group hide. */
const special = /[()<>[\]:;@\\,"]/

/**
 * Exactly one mailbox out of `a@b.co`, `Name <a@b.co>` or `"Quoted, Name" <a@b.co>`; null for everything else: lists,
 * groups, comments, routes, quoted local parts, control characters, trailing text. Time grows with the length alone.
 */
export function parseMailbox(text: string): Mailbox | null {
  if (text.length > textLengthMax || controlCharacter.test(text) || !text.isWellFormed()) return null
  const trimmed = text.trim()
  // Blanks of any script around an address would be kept, shown, and compared.
  if (trimmed !== text) return null
  if (!trimmed.endsWith('>')) return isAddress(trimmed) ? { name: null, address: trimmed } : null
  const open = trimmed.lastIndexOf('<')
  if (open === -1) return null
  const address = trimmed.slice(open + 1, -1)
  const name = readName(trimmed.slice(0, open).trim())
  return name !== null && isAddress(address) ? { name: name === '' ? null : name, address } : null
}

/** Characters that turn the direction of text around (Unicode TR9), so that a name reads as another one. */
const directionMark = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** Why a mailbox that can be read is not taken, or null. Mail programs show the name alone. */
export function nameFault({ name }: Mailbox): string | null {
  const mark = directionMark.exec(name ?? '')?.[0]
  if (mark === undefined) return null
  const code = mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return `has the character U+${code} in its name, which changes the direction of text: leave it out`
}

/** Why a text is not taken as a mailbox, or null. */
export function mailboxFault(text: string): string | null {
  const mailbox = parseMailbox(text)
  return mailbox ? nameFault(mailbox) : 'must be one address, such as ada@example.com or Ada <ada@example.com>'
}

/** The bare addresses of all whom an email names, in the order of to, cc and bcc. */
export function addressesOf(email: { to: string[]; cc: string[] | null; bcc: string[] | null }): string[] {
  return [...email.to, ...(email.cc ?? []), ...(email.bcc ?? [])].map((text) => parseMailbox(text)!.address)
}

/** The text form, in Unicode, that `parseMailbox` reads back. What goes on the wire is the composer's. */
export function formatMailbox(mailbox: Mailbox): string {
  if (mailbox.name === null || mailbox.name === '') return mailbox.address
  const bare = !special.test(mailbox.name) && mailbox.name === mailbox.name.trim()
  return `${bare ? mailbox.name : quoteName(mailbox.name)} <${mailbox.address}>`
}

/** A quoted-string, RFC 5322 3.2.4. */
export function quoteName(name: string): string {
  return `"${name.replace(/["\\]/g, '\\$&')}"`
}

/** The name before `<`, unquoted. Empty where there is no name, null where it is ambiguous. */
function readName(text: string): string | null {
  if (!text.startsWith('"')) return special.test(text) ? null : text
  let name = ''
  for (let i = 1; i < text.length; i++) {
    const character = text[i]!
    if (character === '"') return i === text.length - 1 ? name.trim() : null
    name += character === '\\' ? (text[++i] ?? '') : character
  }
  return null
}
