import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { forgetCausedResources } from '../../platform/cause/note.ts'
import { firstIdAt } from '../../platform/ids.ts'
import { fitting } from '../../platform/retention/fitting.ts'
import { type RemovePage, removedRowsMax } from '../../platform/retention/remove-in-team.ts'
import { outdateAllCounts } from '../list/outdate-counts.ts'
import { noteRemovedEvents, removedEventColumns } from './note-removed-events.ts'
import { deleteBodies, hasEnded, isOfAge } from './remove-bodies.ts'

/** Emails of one page. With their contents, events and tags they are about as many rows as one commit may remove. */
const emailsMax = 250

type Found = { id: string; isDue: boolean; rows: number }

/** Removes old emails that have ended, with all that belongs to them. */
export const removeEmails: RemovePage = async (tx, teamId, { before, after }) => {
  const found = await findOld(tx, teamId, before, after)
  const page = fitting(found, removedRowsMax)
  const ended = page.filter((email) => email.isDue)
  if (ended.length === 1 && ended[0]!.rows > removedRowsMax) {
    if (await deleteSomeEvents(tx, teamId, ended[0]!.id)) return after || 'start'
  }
  const ids = ended.map(({ id }) => id)
  await deleteEmails(tx, teamId, ids, { isNoted: true })
  return page.length < found.length || found.length === emailsMax ? page.at(-1)!.id : null
}

async function findOld(tx: Tx, teamId: string, before: Date, after: string): Promise<Found[]> {
  const place = after && after !== 'start' ? sql`and id > ${after}` : sql``
  const { rows } = await sql<Found>`
    select email.id, ${hasEnded} and ${isOfAge(before)} as "isDue", (3
      + (select count(*) from email_events where team_id = email.team_id and email_id = email.id)
      + (select count(*) from email_tags where team_id = email.team_id and email_id = email.id)
      + (select count(*) from email_attachments where team_id = email.team_id and email_id = email.id))::int as rows
    from (
      select team_id, id, status, dispatching, sent_at from emails
      where team_id = ${teamId} and id < ${firstIdAt(before)} ${place} order by id limit ${emailsMax}
    ) as email
    order by email.id
  `.execute(tx.db)
  return rows
}

/** Deletes a page of the events of an email that has more rows than a commit may remove. False if it has none. */
async function deleteSomeEvents(tx: Tx, teamId: string, emailId: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from email_events as event where team_id = ${teamId} and email_id = ${emailId} and id = any(array(
        select id from email_events where team_id = ${teamId} and email_id = ${emailId} order by id limit ${removedRowsMax}
      )) returning ${removedEventColumns}
    ), ${noteRemovedEvents(teamId)}
    select count(*)::int as count from gone
  `.execute(tx.db)
  return rows[0]!.count > 0
}

/**
 * Deletes emails with all that belongs to them. Emails that another transaction has locked at the moment stay. The rows
 * of the other tables are deleted before the emails, in one statement a table, which is faster than the cascade for
 * each email. With `isNoted`, readers of the feed who had not come to the events are told that they missed some; what
 * an erasure deletes they are not to get.
 */
export async function deleteEmails(
  tx: Tx,
  teamId: string,
  wanted: string[],
  { isNoted = false } = {},
): Promise<number> {
  if (wanted.length === 0) return 0
  // Taken first, as transactions that move statuses do: two transactions in another order would wait for each other.
  await outdateAllCounts(tx, [teamId])
  const { rows } = await sql<{ id: string }>`
    select id from emails where team_id = ${teamId} and id = any(${wanted}::uuid[]) for update skip locked
  `.execute(tx.db)
  const ids = rows.map(({ id }) => id)
  await deleteBodies(tx, teamId, ids)
  await sql`delete from email_tags where team_id = ${teamId} and email_id = any(${ids}::uuid[])`.execute(tx.db)
  await sql`
    with gone as (
      delete from email_events as event where team_id = ${teamId} and email_id = any(${ids}::uuid[])
      returning ${removedEventColumns}
    )${isNoted ? sql`, ${noteRemovedEvents(teamId)}` : sql``}
    select 1
  `.execute(tx.db)
  await forgetCausedResources(tx, teamId, ids)
  await sql`delete from emails where team_id = ${teamId} and id = any(${ids}::uuid[])`.execute(tx.db)
  return ids.length
}
