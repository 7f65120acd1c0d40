import { sql } from 'kysely'
import { firstIdAt } from '../platform/ids.ts'
import type { Removal } from '../platform/retention/removal.ts'
import { type RemovePage, removeEventsByAge } from '../platform/retention/remove-page.ts'
import { noteRemovedSms } from '../teams/retention/removed-sms.ts'
import { deliverSmsJob } from './jobs.ts'

/** Messages of one page. A message has a few events. */
const messagesMax = 200

/** Removes old SMS that are handed over, with their events. Their entries in the ledger stay. */
const removeSms: RemovePage = async (tx, teamId, { before, after }) => {
  const { rows } = await sql<{ id: string; hasEnded: boolean }>`
    select message.id, not exists (
      select from jobs where kind = ${deliverSmsJob.kind} and key = message.id::text
    ) as "hasEnded"
    from (
      select id from sms_messages
      where team_id = ${teamId} and id < ${firstIdAt(before)} ${after ? sql`and id > ${after}` : sql``}
      order by id limit ${messagesMax}
    ) as message
    order by message.id
  `.execute(tx.db)
  const ids = rows.filter((message) => message.hasEnded).map(({ id }) => id)
  if (ids.length > 0) {
    await noteRemovedSms(tx, teamId, ids.at(-1)!)
    const { rows: locked } = await sql<{ id: string }>`
      select id from sms_messages where team_id = ${teamId} and id = any(${ids}::uuid[]) for update skip locked
    `.execute(tx.db)
    const held = locked.map(({ id }) => id)
    await sql`delete from sms_events where team_id = ${teamId} and message_id = any(${held}::uuid[])`.execute(tx.db)
    await sql`delete from sms_messages where team_id = ${teamId} and id = any(${held}::uuid[])`.execute(tx.db)
  }
  return rows.length === messagesMax ? rows.at(-1)!.id : null
}

export const smsRemovals: Removal[] = [
  { name: 'sms', days: 'messagesDays', remove: removeSms },
  { name: 'sms-events', days: 'eventsDays', remove: removeEventsByAge('sms_events', 'message_id') },
]
