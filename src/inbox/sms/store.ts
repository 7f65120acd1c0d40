import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { gatheredFor } from '../../platform/transaction/gather.ts'
import type { OutboundSms } from '../../sms/provider.ts'
import { noteCaptured } from '../note-captured.ts'

/** Stores a captured message, once for each SMS. Concurrent calls share a commit. */
export const storeInboxSms: (app: App, message: OutboundSms) => Promise<void> = gatheredFor(
  (app, messages) => app.transaction((tx) => insertAll(tx, messages)),
  { itemsMax: 200, flushesMax: 1 },
)

async function insertAll(tx: Tx, messages: OutboundSms[]): Promise<undefined[]> {
  const rows = messages.map(({ teamId, messageId, from, to, body }) => {
    return { team_id: teamId, id: tx.newId(), message_id: messageId, from_sender: from, to_number: to, body }
  })
  void tx.send(sql`
    insert into inbox_sms (team_id, id, message_id, from_sender, to_number, body, created_at)
    select team_id, id, message_id, from_sender, to_number, body, ${tx.now}
    from json_populate_recordset(null::inbox_sms, ${JSON.stringify(rows)}::json)
    on conflict (team_id, message_id) do nothing
  `)
  tx.withCommit(noteCaptured(tx, messages))
  return messages.map(() => undefined)
}
