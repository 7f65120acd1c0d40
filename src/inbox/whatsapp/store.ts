import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { gatheredFor } from '../../platform/transaction/gather.ts'
import type { OutboundWhatsapp } from '../../whatsapp/provider.ts'
import { noteCaptured } from '../note-captured.ts'

/** Stores a captured WhatsApp message, once for each message. Concurrent calls share a commit. */
export const storeInboxWhatsapp: (app: App, message: OutboundWhatsapp) => Promise<void> = gatheredFor(
  (app, messages) => app.transaction((tx) => storeAll(tx, messages)),
  { itemsMax: 100, flushesMax: 2 },
)

async function storeAll(tx: Tx, messages: OutboundWhatsapp[]): Promise<undefined[]> {
  const rows = messages
    .map(({ teamId, messageId, from, to, content }) => ({
      team_id: teamId,
      id: tx.newId(),
      message_id: messageId,
      from_number: from,
      to_number: to,
      body: content.body,
      template_name: content.kind === 'template' ? content.name : null,
    }))
    .toSorted((left, right) => (left.message_id < right.message_id ? -1 : 1))
  await sql`
    insert into inbox_whatsapp (team_id, id, message_id, from_number, to_number, body, template_name, created_at)
    select team_id, id, message_id, from_number, to_number, body, template_name, ${tx.now}
    from json_populate_recordset(null::inbox_whatsapp, ${JSON.stringify(rows)}::json)
    on conflict (team_id, message_id) do nothing
  `.execute(tx.db)
  await noteCaptured(tx, messages)
  return messages.map(() => undefined)
}
