import { shownTexts } from '../../emails/mime/source/shown-texts.ts'
import { type Trace, traceOf } from '../../platform/privacy/trace.ts'

export const inboxTraces: Trace[] = [
  traceOf({
    ...{ name: 'inbox', table: 'inbox_messages', key: ['id'] },
    searched: { from_address: 'address', to_addresses: 'address', bcc_addresses: 'address', subject: 'text' },
    message: { column: 'raw', textsOf: messageTexts },
  }),
  traceOf({
    ...{ name: 'inboxSms', table: 'inbox_sms', key: ['id'] },
    searched: { from_sender: 'text', to_number: 'text', body: 'text' },
  }),
  traceOf({
    ...{ name: 'inboxWhatsapp', table: 'inbox_whatsapp', key: ['id'] },
    searched: { from_number: 'text', to_number: 'text', body: 'text' },
  }),
]

/** Returns the header with its lines unfolded (RFC 5322 2.2.3), and the bodies that clients show. */
function messageTexts(raw: Buffer): string[] {
  const end = raw.indexOf('\r\n\r\n')
  const header = raw.toString('utf8', 0, end === -1 ? raw.length : end).replace(/\r\n(?=[ \t])/g, '')
  const { html, text } = shownTexts(raw)
  return [header, html ?? '', text ?? '']
}
