import { sql } from 'kysely'
import { defineSubscription } from '../../platform/events.ts'
import { rowsOf } from '../../platform/sql-rows.ts'
import { noteCaptured } from '../retention/note-captured.ts'

const columns = {
  teamId: 'uuid',
  id: 'uuid',
  messageId: 'uuid',
  sender: 'text',
  receiver: 'text',
  body: 'text',
} as const

/** Keeps WhatsApp messages to the team's numbers in the inbox, so that it shows both sides of a conversation. */
export const keepReceivedWhatsapp = defineSubscription({
  types: ['whatsapp.received'],
  async listen(tx, events) {
    const rows = events.map(({ teamId, data: { from, to, body } }) => {
      return { teamId, id: tx.newId(), messageId: tx.newId(), sender: from, receiver: to, body }
    })
    await sql`
      insert into inbox_whatsapp (team_id, id, message_id, from_number, to_number, body, created_at, direction)
      select team_id, id, message_id, sender, receiver, body, ${tx.now}, 'inbound' from ${rowsOf(rows, columns).as('received')}
    `.execute(tx.db)
    await noteCaptured(
      tx,
      rows.map(({ teamId }) => teamId),
    )
  },
})
