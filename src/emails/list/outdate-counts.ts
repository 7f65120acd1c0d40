import { sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../context.ts'
import { firstIdAt } from '../../platform/ids.ts'
import { settledAfterMs, statusSettledAfterMs } from './search-count.ts'

/** More than the clocks of two transactions can differ. */
const slackMs = 3_600_000

/**
 * Makes the stored counts by status of teams invalid, because the statuses of these emails change. Emails of the last
 * day are in no such count.
 */
export async function outdateStatusCounts(tx: Tx, emails: { teamId: string; emailId: string }[]): SentAtOnce {
  const oldest = firstIdAt(new Date(tx.now.getTime() - statusSettledAfterMs + slackMs))
  const teamIds = [...new Set(emails.flatMap(({ teamId, emailId }) => (emailId < oldest ? [teamId] : [])))].sort()
  if (teamIds.length === 0) return
  await tx.send(sql`
    insert into email_search_epochs (team_id, epoch) select unnest(${teamIds}::uuid[]), 1
    on conflict (team_id) do update set epoch = email_search_epochs.epoch + 1
  `)
}

/**
 * Makes all stored counts of teams invalid to which emails are added that are older than those of requests. An email of
 * a workflow has the id of its node, whose attempts may take hours.
 */
export async function outdateCountsOfLate(tx: Tx, emails: { teamId: string; id: string }[]): SentAtOnce {
  const oldest = firstIdAt(new Date(tx.now.getTime() - settledAfterMs + slackMs))
  const teamIds = [...new Set(emails.flatMap(({ teamId, id }) => (id < oldest ? [teamId] : [])))].sort()
  if (teamIds.length > 0) await outdateAllCounts(tx, teamIds)
}

/** Makes all stored counts of teams invalid, such as when emails are removed. */
export async function outdateAllCounts(tx: Tx, teamIds: string[]): SentAtOnce {
  await tx.send(sql`
    insert into email_search_epochs (team_id, epoch, removals) select unnest(${teamIds}::uuid[]), 0, 1
    on conflict (team_id) do update set removals = email_search_epochs.removals + 1
  `)
}

/**
 * Deletes the team's stored counts, because emails no longer hold what was searched. What was searched may name a
 * person.
 */
export async function forgetSearchCounts(tx: Tx, teamId: string): Promise<void> {
  await outdateAllCounts(tx, [teamId])
  await sql`delete from email_search_counts where team_id = ${teamId}`.execute(tx.db)
}
