import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { firstIdAt } from '../../platform/ids.ts'
import { fitting } from '../../platform/retention/fitting.ts'
import { type RemovePage, removedRowsMax } from '../../platform/retention/remove-in-team.ts'
import { deliverEmailJob } from '../jobs.ts'

/**
 * The condition on `email` that nothing of it is left to send: all recipients have their answer, or it was cancelled.
 */
export const hasEnded = sql<boolean>`(email.status <> 'scheduled' and not email.dispatching and not exists (
  select from jobs where kind = ${sql.lit(deliverEmailJob.kind)} and key = email.id::text
))`

/**
 * The condition on `email` that its age counts from before this time: from its hand-over, or, where there was none,
 * from its acceptance, which its id tells.
 */
export const isOfAge = (before: Date) => sql<boolean>`(email.sent_at is null or email.sent_at <= ${before})`

/** Emails of one page. Most have one row of content. */
const emailsMax = 500

/**
 * Removes bodies, attachments and submitted sources of old emails that have ended. Their content then reads as null.
 */
export const removeEmailBodies: RemovePage = async (tx, teamId, { before, after }) => {
  const { rows } = await sql<{ id: string; isDue: boolean; rows: number }>`
    select email.id, ${hasEnded} and ${isOfAge(before)} as "isDue", 2 + (
      select count(*)::int from email_attachments where team_id = email.team_id and email_id = email.id
    ) as rows
    from (
      select email_id from email_contents
      where team_id = ${teamId} and email_id < ${firstIdAt(before)} ${after ? sql`and email_id > ${after}` : sql``}
      order by email_id limit ${emailsMax}
    ) as content
    join emails as email on email.team_id = ${teamId} and email.id = content.email_id
    order by email.id
  `.execute(tx.db)
  const page = fitting(rows, removedRowsMax)
  const ids = page.filter((email) => email.isDue).map(({ id }) => id)
  await deleteBodies(tx, teamId, ids)
  return page.length < rows.length || rows.length === emailsMax ? page.at(-1)!.id : null
}

/** Deletes bodies, attachments and submitted sources of these emails. */
export async function deleteBodies(tx: Tx, teamId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  for (const table of ['email_attachments', 'email_sources', 'email_contents']) {
    await sql`delete from ${sql.table(table)} where team_id = ${teamId} and email_id = any(${ids}::uuid[])`.execute(
      tx.db,
    )
  }
}
