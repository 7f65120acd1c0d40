import { isAddress, needsQuotes, unquoteAddress } from '../platform/text/mail-address.ts'
import { anglesOf, countMarks, readComments, withoutComments, withoutMarks } from './comments.ts'

/** One address with its display name. `address` is unchanged, so its domain may be in Unicode. */
export type Mailbox = { name: string | null; address: string }

const textLengthMax = 1000 // ours: an address of 320 characters, and a name longer than clients show
const controlCharacter = /\p{Cc}/u
/**
 * Characters that an unquoted name may not hold (RFC 5322 3.2.3). A text with one may hold several mailboxes or a
 * group.
 */
const special = /[()<>[\]:;@\\,"]/

/**
 * Reads exactly one mailbox, such as `a@b.co`, `Name <a@b.co>` or `"Quoted, Name" <a@b.co>`. A comment beside the name
 * belongs to it, a comment beside a bare address is the name, and one within the address is left out. Null for lists,
 * groups, routes, local parts that need quotes, control characters and trailing text. The time is linear in the length.
 */
export function parseMailbox(text: string): Mailbox | null {
  const parts = partsOf(text)
  if (!parts || !isAddress(parts.address)) return null
  return { name: parts.name || null, address: parts.address }
}

/**
 * Returns the mailbox as it is stored: as it was given, unless its address can be read only by knowing of comments and
 * quotes.
 */
export function storedMailbox(text: string): string {
  const mailbox = parseMailbox(text)
  if (!mailbox || text === mailbox.address || text.endsWith(`<${mailbox.address}>`)) return text
  return formatMailbox(mailbox)
}

type Parts = { name: string; address: string }

/** Divides a text into name and address, which need not be one yet. */
function partsOf(text: string): Parts | null {
  if (text.length > textLengthMax || controlCharacter.test(text) || !text.isWellFormed()) return null
  // Otherwise blanks of any script around an address would be stored, shown and compared.
  if (text.trim() !== text) return null
  const read = readComments(text)
  if (!read) return null
  const { before, inner, after } = anglesOf(read.bare)
  const name = readName(withoutMarks(before))
  if (inner === null || name === null || withoutMarks(after) !== '') return null
  const address = unquoteAddress(withoutComments(inner))
  const beside = read.comments.slice(0, countMarks(before)).filter((comment) => comment !== '')
  if (name !== '') return { name: [name, ...beside.map((comment) => `(${comment})`)].join(' '), address }
  const behind = read.comments.slice(read.comments.length - countMarks(after))
  return { name: [...beside, ...behind].join(' ').trim(), address }
}

/** Characters that change the direction of text (Unicode TR9), so that a name can look like another one. */
const directionMark = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/**
 * Says why the name of a mailbox is refused, or null. The name matters because mail programs may show only the name.
 */
export function nameFault({ name }: Mailbox): string | null {
  const mark = directionMark.exec(name ?? '')?.[0]
  if (mark === undefined) return null
  const code = mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return `has the character U+${code} in its name, which changes the direction of text: leave it out`
}

/** Says why a text is refused as a mailbox, or null. */
export function mailboxFault(text: string): string | null {
  const mailbox = parseMailbox(text)
  if (mailbox) return nameFault(mailbox)
  return needsQuotes(partsOf(text)?.address ?? '')
    ? quotesFault
    : 'must be one address, such as ada@example.com or Ada <ada@example.com>'
}

/** Many mail servers refuse such addresses, and lists of addresses cannot hold them. */
const quotesFault = 'has a part before the @ that needs quotes, to which no mail is sent: use another address'

/**
 * Returns the bare addresses of all recipients of an email, in the order of to, cc and bcc. `erased` keeps the place of
 * a person who was erased.
 */
export function addressesOf(email: { to: string[]; cc: string[] | null; bcc: string[] | null }): string[] {
  return [...email.to, ...(email.cc ?? []), ...(email.bcc ?? [])].map((text) => parseMailbox(text)?.address ?? text)
}

/** Formats a mailbox in Unicode, so that `parseMailbox` reads it back. The composer makes the form for the wire. */
export function formatMailbox(mailbox: Mailbox): string {
  if (mailbox.name === null || mailbox.name === '') return mailbox.address
  const bare = !special.test(mailbox.name) && mailbox.name === mailbox.name.trim()
  return `${bare ? mailbox.name : quoteName(mailbox.name)} <${mailbox.address}>`
}

/** Makes a quoted-string (RFC 5322 3.2.4). */
export function quoteName(name: string): string {
  return `"${name.replace(/["\\]/g, '\\$&')}"`
}

/** Formats several mailboxes as one text, which `splitMailboxes` divides again. */
export function joinMailboxes(texts: string[]): string {
  return texts.length === 1
    ? storedMailbox(texts[0]!)
    : texts.map((text) => formatMailbox(parseMailbox(text)!)).join(', ')
}

/** Divides a text at the commas outside of quotes. One mailbox stays as it is. */
export function splitMailboxes(text: string): Mailbox[] {
  const one = parseMailbox(text)
  if (one) return [one]
  return (text.match(/(?:"(?:\\.|[^"\\])*"|[^,"])+/g) ?? []).flatMap((part) => parseMailbox(part.trim()) ?? [])
}

/** Reads the name before `<` and unquotes it. Empty if there is no name, null if it is ambiguous. */
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
