import { addressParser } from 'postal-mime'
import { forbidden, invalid } from '../../platform/errors.ts'
import { domainOf, isAddress, normalizeAddress } from '../../platform/mail-address.ts'
import { formatMailbox, type Mailbox, nameFault, parseMailbox } from '../mailbox.ts'
import { type Field, fieldValue } from '../mime/source/fields.ts'
import { decodedText } from './words.ts'

/** The one mailbox of `From`: readers must not see another than the one that was judged, so nothing ambiguous is taken. */
export function readSender(fields: Field[]): Mailbox {
  const sender = readMailbox(fieldValue(fields, 'from') ?? '')
  if (!sender) throw invalid('From', 'must be one address, such as Shop <hello@shop.test>')
  refuseName('From', sender)
  return sender
}

/** `Sender` is shown too ("on behalf of"), so it may not name somebody else's domain. */
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

const valueLengthMax = 2000 // ours: with encoded words, twice what a mailbox may have

/** `a@b.co`, `Name <a@b.co>` with encoded words or quotes in the name, or the older `a@b.co (Name)`. */
function readMailbox(value: string): Mailbox | null {
  if (value.length > valueLengthMax) return null
  const [, address = value, comment] = /^(\S+) +\(([^()<>\\]*)\)$/.exec(value) ?? []
  // What an encoded word holds is text, whatever it looks like.
  const words: string[] = []
  const masked = address.replace(/=\?[^?\s]+\?[bq]\?[^?\s]*\?=/gi, (word) => `encoded-word-${words.push(word)}-`)
  const read = parseMailbox(masked.replaceAll('\t', ' '))
  if (!read || (words.length > 0 && read.address.startsWith('encoded-word-'))) return null
  const name = read.name?.replace(/encoded-word-(\d+)-/g, (_, number) => words[Number(number) - 1] ?? '') ?? comment
  return readable({ name: name ?? null, address: read.address })
}

type Addressees = { to: string[]; cc: string[] | null; bcc: string[] | null; recipients: string[] }

/**
 * The envelope alone says who gets it. `To` and `Cc` say as what they are shown; who stands in neither is a blind
 * recipient, and who stands there but not in the envelope stays in the header and gets nothing from us.
 */
export function addressees(fields: Field[], envelope: string[]): Addressees {
  const open = new Map(envelope.map((address) => [normalizeAddress(address), address]))
  const recipients = [...open.values()]
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

/** As they stand there, names still encoded. */
function mailboxes(fields: Field[], field: string): Mailbox[] {
  return addressParser(fieldValue(fields, field) ?? '', { flatten: true }).map(({ name, address = '' }) => ({
    name: name || null,
    address,
  }))
}

/** With a name that reads back as one, or without: what is stored is read again when it is sent. */
function readable({ name, address }: Mailbox): Mailbox {
  const mailbox = { name: name === null ? null : decodedText(name) || null, address }
  return parseMailbox(formatMailbox(mailbox)) ? mailbox : { name: null, address }
}
