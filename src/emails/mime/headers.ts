import assert from 'node:assert/strict'
import { wireAddress } from '../../platform/text/mail-address.ts'
import { type Mailbox, quoteName } from '../mailbox.ts'
import { encodedWordLengthMax, encodeWords } from './encoded-words.ts'
import { fieldForm } from './field-forms.ts'
import { structuredTokens } from './structured.ts'

const lineLengthWanted = 78 // RFC 5322 2.1.1
const lineLengthMax = 998 // RFC 5322 2.1.1: a relay may cut longer lines
const nameLengthMax = 60 // longer display names are encoded, because encoded words can be folded

/** Returns the line of a free-text header such as `Subject`. Clients show the text exactly as given. */
export function textHeader(name: string, text: string): string {
  refuseControls(name, text)
  if (!plainText.test(text) || text.includes('=?')) return encodedHeader(name, text)
  if (name.length + 2 + text.length <= lineLengthWanted) return `${name}: ${text}\r\n`
  const tokens = text.split(' ')
  return name.length + 2 + longest(tokens) <= lineLengthWanted ? fold(name, tokens) : encodedHeader(name, text)
}

/** Tokens with single spaces between them; unfolding could change any other blanks. */
const plainText = /^(?:[!-~]+ )*[!-~]+$|^$/

/** Returns the line of a caller's header. ASCII is left unchanged, because it may be structured (`References`). */
export function givenHeader(name: string, value: string): string {
  refuseControls(name, value)
  const trimmed = value.trim()
  if (!printable.test(trimmed)) return asciiHeader(name, trimmed)
  const tokens = trimmed.split(/ (?=[^ \t])/)
  return fits(name, tokens) ? fold(name, tokens) : encodedHeader(name, trimmed)
}

/** Returns the line of a header whose value is beyond ASCII, encoded by its structure. */
function asciiHeader(name: string, value: string): string {
  const form = fieldForm(name)
  if (form === 'text' || form === 'parameters') return encodedHeader(name, value)
  const { tokens } = structuredTokens(value, form === 'ids')
  return fits(name, tokens) ? fold(name, tokens) : encodedHeader(name, value)
}

/**
 * Says why a header with structure cannot be written in ASCII without hiding an address, message id or URI; else null.
 */
export function structureFault(name: string, value: string): string | null {
  const form = fieldForm(name)
  if (form === 'text') return null
  const isAscii = printable.test(value)
  if (form === 'parameters') return isAscii ? null : 'must be printable ASCII'
  const { tokens, fault } = isAscii
    ? { tokens: value.split(' '), fault: null }
    : structuredTokens(value, form === 'ids')
  if (fault !== null) return fault
  return fits(name, tokens) ? null : `holds a value that is longer than a line of ${lineLengthMax} characters`
}

function fits(name: string, tokens: string[]): boolean {
  return name.length + 2 + longest(tokens) <= lineLengthMax
}

const printable = /^[\t -~]*$/

/** Returns the line of an address header, such as `To: "Quoted, Name" <a@b.co>, …`. Empty for an empty list. */
export function mailboxHeader(name: string, mailboxes: Mailbox[]): string {
  if (mailboxes.length === 0) return ''
  const tokens: string[] = []
  for (const [index, mailbox] of mailboxes.entries()) {
    const comma = index < mailboxes.length - 1 ? ',' : ''
    const address = wireAddress(mailbox.address)
    assert(wireAddressForm.test(address), `${name}: an address that no header line can carry`)
    if (mailbox.name === null || mailbox.name === '') tokens.push(`${address}${comma}`)
    else tokens.push(...nameTokens(name, mailbox.name), `<${address}>${comma}`)
  }
  return fold(name, tokens)
}

const wireAddressForm = /^[!#-'*+./-9=?A-Z^-~-]+@[A-Za-z0-9.-]+$/

function nameTokens(header: string, name: string): string[] {
  refuseControls(header, name)
  if (atoms.test(name) && name.length <= nameLengthMax && !name.includes('=?')) return name.split(' ')
  const quoted = quoteName(name)
  const plain = /^[ -~]+$/.test(name) && quoted.length <= nameLengthMax && !name.includes('=?')
  return plain ? [quoted] : encodeWords(name, nameLengthMax)
}

/** Names that need no quotes (RFC 5322 3.2.3). */
const atoms = /^[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*$/

/** Throws an assertion if a value has a line end, which could forge a header, or NUL. The API refuses these earlier. */
export function refuseControls(name: string, value: string): void {
  assert(!/[\r\n\0]/.test(value), `${name}: a line end or NUL in a header value`)
}

function encodedHeader(name: string, text: string): string {
  if (text === '') return `${name}: \r\n`
  const room = encodedWordLengthMax - name.length - 2
  const apart = room < encodedWordLengthMax / 2 // a long name gets its own line
  const words = encodeWords(text, apart ? encodedWordLengthMax : room)
  return `${name}:${apart ? '\r\n' : ''} ${words.join('\r\n ')}\r\n`
}

/**
 * Joins the tokens with spaces, and starts a new line if a line would exceed the wanted length; never before the first
 * token.
 */
function fold(name: string, tokens: string[]): string {
  let folded = `${name}:`
  let length = folded.length
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!
    const broken = i > 0 && length + 1 + token.length > lineLengthWanted
    folded += broken ? `\r\n ${token}` : ` ${token}`
    length = broken ? token.length + 1 : length + token.length + 1
  }
  return `${folded}\r\n`
}

function longest(tokens: string[]): number {
  return tokens.reduce((length, token) => Math.max(length, token.length), 0)
}
