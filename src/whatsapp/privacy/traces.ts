import { sql } from 'kysely'
import { type Trace, traceOf } from '../../platform/privacy/trace.ts'

/** Messages go before their conversations, so that deleting a conversation is a small statement. */
export const whatsappTraces: Trace[] = [
  traceOf({
    ...{ name: 'whatsappEvents', table: 'whatsapp_events', key: ['message_id', 'id'] },
    text: sql`data::text`,
  }),
  traceOf({
    ...{ name: 'whatsappMessages', table: 'whatsapp_messages', key: ['id'] },
    text: sql`concat_ws(E'\n', from_number, to_number, body, variables::text)`,
  }),
  traceOf({
    ...{ name: 'whatsappConversations', table: 'whatsapp_conversations', key: ['id'] },
    text: sql`concat_ws(E'\n', phone_number, last_message_preview)`,
  }),
]
