import { shownTexts } from '../emails/mime/source/shown-texts.ts'
import { namesPerson } from '../platform/privacy/names-person.ts'
import { anotherRecipient, ownAddresses, shownAddresses, textWithoutOthers } from '../platform/privacy/others.ts'
import { type Found, type Showing, type Trace, traceOf } from '../platform/privacy/trace.ts'

export const inboxTraces: Trace[] = [
  traceOf({
    ...{ name: 'inbox', table: 'inbox_messages', key: ['id'] },
    searched: { from_address: 'address', to_addresses: 'address', bcc_addresses: 'address', subject: 'text' },
    message: { column: 'raw', textsOf: messageTexts },
    show: showMessage,
  }),
  traceOf({
    ...{ name: 'inboxSms', table: 'inbox_sms', key: ['id'] },
    searched: { from_sender: 'text', to_number: 'text', body: 'text' },
    show: showText,
  }),
  traceOf({
    ...{ name: 'inboxWhatsapp', table: 'inbox_whatsapp', key: ['id'] },
    searched: { from_number: 'text', to_number: 'text', body: 'text' },
    show: showText,
  }),
]

/** Shows a captured message without its bodies, which are those of its email. */
function showMessage({ person }: Showing, { row }: Found): object {
  const { id, email_id: emailId, from_address: from, to_addresses: to, created_at: createdAt } = row
  const lists = {
    to: shownAddresses(to as string[], person),
    bcc: ownAddresses(row.bcc_addresses as string[] | null, person),
  }
  return { id, emailId, from, ...lists, subject: textWithoutOthers(String(row.subject), person), createdAt }
}

/** A message between others that names the person is shown without its text. */
function showText({ person }: Showing, { row }: Found): object {
  const { id, message_id: messageId, direction, created_at: createdAt } = row
  const from = row.from_sender ?? row.from_number
  const customer = direction === 'inbound' ? from : row.to_number
  const own = namesPerson(customer, 'text', person)
  const shown = (number: unknown) => (own || number !== customer ? number : anotherRecipient)
  return {
    id,
    messageId,
    direction,
    from: shown(from),
    to: shown(row.to_number),
    body: own ? row.body : null,
    createdAt,
  }
}

/** Returns the header with its lines unfolded (RFC 5322 2.2.3), and the bodies that clients show. */
function messageTexts(raw: Buffer): string[] {
  const end = raw.indexOf('\r\n\r\n')
  const header = raw.toString('utf8', 0, end === -1 ? raw.length : end).replace(/\r\n(?=[ \t])/g, '')
  const { html, text } = shownTexts(raw)
  return [header, html ?? '', text ?? '']
}
