import { sql } from 'kysely'
import { type Trace, traceOf } from '../../platform/privacy/trace.ts'

export const inboxTraces: Trace[] = [
  traceOf({
    ...{ name: 'inbox', table: 'inbox_messages', key: ['id'], hidden: ['raw'] },
    text: sql`concat_ws(E'\n', from_address, to_addresses::text, bcc_addresses::text, subject, encode(raw, 'escape'))`,
  }),
  traceOf({
    ...{ name: 'inboxSms', table: 'inbox_sms', key: ['id'] },
    text: sql`concat_ws(E'\n', from_sender, to_number, body)`,
  }),
  traceOf({
    ...{ name: 'inboxWhatsapp', table: 'inbox_whatsapp', key: ['id'] },
    text: sql`concat_ws(E'\n', from_number, to_number, body)`,
  }),
]
