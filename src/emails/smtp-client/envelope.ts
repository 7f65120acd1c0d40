import { isAscii } from 'node:buffer'
import { domainToASCII } from 'node:url'
import type { Extensions } from './extensions.ts'
import type { Reply } from './reply.ts'

/** Bare addresses, without name or angle brackets. `from` is empty for the null reverse-path. */
export type Envelope = { from: string; to: readonly string[] }

/** The commands of one envelope, with a `Reply` in place of each address that we refuse ourselves. */
type EnvelopeCommands = { mail: string | Reply; recipients: (string | Reply)[] }

/**
 * Returns MAIL and RCPT with the parameters that the message needs and the server offers: SIZE (RFC 1870: octets before
 * dot-stuffing), BODY=8BITMIME for a text beyond ASCII, SMTPUTF8 for local parts or header fields beyond ASCII.
 */
export function envelopeCommands(envelope: Envelope, raw: Buffer, extensions: Extensions): EnvelopeCommands {
  const from = envelope.from === '' ? '' : wireAddress(envelope.from, extensions)
  const to = envelope.to.map((address) => wireAddress(address, extensions))
  const recipients = to.map((address) => (typeof address === 'string' ? `RCPT TO:<${address}>\r\n` : address))
  if (typeof from !== 'string') return { mail: from, recipients }
  const ascii = isAscii(raw)
  const utf8 = ![from, ...to].every((address) => typeof address !== 'string' || asciiForm.test(address))
  const size = extensions.size ? ` SIZE=${raw.length}` : ''
  const body = !ascii && extensions.eightBitMime ? ' BODY=8BITMIME' : ''
  const smtpUtf8 = extensions.smtpUtf8 && (utf8 || (!ascii && !isAscii(headOf(raw)))) ? ' SMTPUTF8' : ''
  return { mail: `MAIL FROM:<${from}>${size}${body}${smtpUtf8}\r\n`, recipients }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break in an address would begin another command.
const unsafe = /[\x00-\x1f\x7f]/
const plain = /^[^\s<>"]+@[^\s<>"@]+$/
const quoted = /^"(?:[^"\\]|\\.)*"@[^\s<>"@]+$/
const asciiForm = /^[\x20-\x7e]*$/

/**
 * Writes a domain in punycode, which every server takes, unless the local part needs SMTPUTF8 anyway (RFC 6531 3.2).
 */
function wireAddress(address: string, extensions: Extensions): string | Reply {
  if (unsafe.test(address) || !(plain.test(address) || quoted.test(address))) return malformedReply
  if (asciiForm.test(address)) return address
  const at = address.lastIndexOf('@')
  const domain = domainToASCII(address.slice(at + 1))
  if (asciiForm.test(address.slice(0, at)) && domain !== '') return `${address.slice(0, at)}@${domain}`
  return extensions.smtpUtf8 ? address : beyondAscii
}

const malformedReply: Reply = { code: 553, enhanced: '5.1.3', text: 'The address is malformed, so it was not sent' }
const beyondAscii: Reply = {
  code: 553,
  enhanced: '5.6.7',
  text: 'The server does not offer SMTPUTF8, which this address needs',
}

function headOf(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n')
  return end === -1 ? raw : raw.subarray(0, end)
}
