import { sql } from 'kysely'
import { defineSubscription } from '../platform/events.ts'
import { rowsOf } from '../platform/sql/sql-rows.ts'
import { noteCaptured } from './note-captured.ts'

const columns = {
  teamId: 'uuid',
  id: 'uuid',
  messageId: 'uuid',
  sender: 'text',
  receiver: 'text',
  body: 'text',
} as const

type Channel = { type: 'sms.received' | 'whatsapp.received'; table: string; sender: string }

export const keepReceivedSms = keepReceived({ type: 'sms.received', table: 'inbox_sms', sender: 'from_sender' })
export const keepReceivedWhatsapp = keepReceived({
  type: 'whatsapp.received',
  table: 'inbox_whatsapp',
  sender: 'from_number',
})

/** Keeps the messages to the team's numbers in the inbox, so that it shows both sides of a conversation. */
function keepReceived({ type, table, sender }: Channel) {
  return defineSubscription({
    types: [type],
    async listen(tx, events) {
      const rows = events.map(({ teamId, data: { from, to, body } }) => {
        return { teamId, id: tx.newId(), messageId: tx.newId(), sender: from, receiver: to, body }
      })
      void tx.send(sql`
        insert into ${sql.table(table)}
          (team_id, id, message_id, ${sql.ref(sender)}, to_number, body, created_at, direction)
        select team_id, id, message_id, sender, receiver, body, ${tx.now}, 'inbound'
        from ${rowsOf(rows, columns).as('received')}
      `)
      tx.withCommit(noteCaptured(tx, events))
    },
  })
}
