import { type Trace, traceOf } from '../../platform/privacy/trace.ts'

/** Messages go before their conversations, so that deleting a conversation is a small statement. */
export const whatsappTraces: Trace[] = [
  traceOf({
    ...{ name: 'whatsappEvents', table: 'whatsapp_events', key: ['message_id', 'id'] },
    searched: { data: 'json' },
  }),
  traceOf({
    ...{ name: 'whatsappMessages', table: 'whatsapp_messages', key: ['id'] },
    searched: { from_number: 'text', to_number: 'text', body: 'text', variables: 'json' },
  }),
  traceOf({
    ...{ name: 'whatsappConversations', table: 'whatsapp_conversations', key: ['id'] },
    searched: { phone_number: 'text', last_message_preview: 'text' },
  }),
]
