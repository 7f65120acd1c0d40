import { addressParser } from 'postal-mime'
import { forbidden, invalid } from '../../platform/errors.ts'
import {
  domainOf,
  isAddress,
  normalizeAddress,
  uniqueAddresses,
  unquoteAddress,
} from '../../platform/text/mail-address.ts'
import { formatMailbox, type Mailbox, nameFault, parseMailbox } from '../mailbox.ts'
import { type Field, fieldValue } from '../mime/source/fields.ts'
import { decodedText } from './words.ts'

/**
 * Reads the mailbox of `From`. Throws `invalid` if it is ambiguous, since clients must show the sender that we checked.
 */
export function readSender(fields: Field[]): Mailbox {
  const sender = readMailbox(fieldValue(fields, 'from') ?? '')
  if (!sender) throw invalid('From', 'must be one address, such as Shop <hello@shop.test>')
  refuseName('From', sender)
  return sender
}

/** Refuses a `Sender` on another domain than `From`, because clients show it too ("on behalf of"). */
export function refuseOtherSender(fields: Field[], from: Mailbox): void {
  const value = fieldValue(fields, 'sender')
  if (value === null) return
  const sender = readMailbox(value)
  if (!sender) throw invalid('Sender', 'must be one address')
  refuseName('Sender', sender)
  if (domainOf(sender.address) !== domainOf(from.address)) throw forbidden('Sender must be on the domain of From.')
}

function refuseName(field: string, mailbox: Mailbox): void {
  const fault = nameFault(mailbox)
  if (fault !== null) throw invalid(field, fault)
}

const valueLengthMax = 2000 // our own limit: twice a mailbox's length, for encoded words

/** Reads one mailbox, with encoded words in its name or comments; else null. */
function readMailbox(value: string): Mailbox | null {
  if (value.length > valueLengthMax) return null
  // Masks encoded words: their content is always text, even if it looks like an address.
  const words: string[] = []
  const masked = value.replace(/=\?[^?\s]+\?[bq]\?[^?\s]*\?=/gi, (word) => `encoded-word-${words.push(word)}-`)
  const read = parseMailbox(masked.replaceAll('\t', ' '))
  if (!read || (words.length > 0 && read.address.startsWith('encoded-word-'))) return null
  const name = read.name?.replace(/encoded-word-(\d+)-/g, (_, number) => words[Number(number) - 1] ?? '') ?? null
  return readable({ name, address: read.address })
}

type Addressees = { to: string[]; cc: string[] | null; bcc: string[] | null; recipients: string[] }

/**
 * Returns the envelope's recipients and the field that shows each: `To`, `Cc`, or Bcc if it is in neither. An address
 * in the header but not in the envelope stays in the header, and we do not send it the message.
 */
export function addressees(fields: Field[], envelope: string[]): Addressees {
  const recipients = uniqueAddresses(envelope)
  const open = new Map(recipients.map((address) => [normalizeAddress(address), address]))
  const shown = (field: string) =>
    mailboxes(fields, field).flatMap((mailbox) => {
      const normal = normalizeAddress(mailbox.address)
      const address = open.get(normal)
      open.delete(normal)
      return address === undefined ? [] : formatMailbox(readable({ ...mailbox, address }))
    })
  const [to, cc, bcc] = [shown('to'), shown('cc'), [...open.values()]]
  return { to, cc: cc.length > 0 ? cc : null, bcc: bcc.length > 0 ? bcc : null, recipients }
}

export function replyToOf(fields: Field[]): string | null {
  const first = mailboxes(fields, 'reply-to').find(({ address }) => isAddress(address))
  return first ? formatMailbox(readable(first)) : null
}

/** Returns the mailboxes of a field, with their names still encoded. */
function mailboxes(fields: Field[], field: string): Mailbox[] {
  return addressParser(fieldValue(fields, field) ?? '', { flatten: true }).map(({ name, address = '' }) => ({
    name: name || null,
    address: unquoteAddress(address),
  }))
}

/** Decodes the name, and drops it if the stored mailbox could not be read again when the email is sent. */
function readable({ name, address }: Mailbox): Mailbox {
  const mailbox = { name: name === null ? null : decodedText(name) || null, address }
  return parseMailbox(formatMailbox(mailbox)) ? mailbox : { name: null, address }
}
