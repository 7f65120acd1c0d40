import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { enqueueJobs } from '../../platform/jobs/enqueue.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { reportUsageJob } from '../jobs.ts'

/** Makes the overage of these messages due for reporting, once each. Reversed charges are left out. */
export async function addUsageReports(tx: Tx, messages: { teamId: string; messageId: string }[]): Promise<void> {
  const rows = await tx.send(sql<{ teamId: string }>`
    with added as (
      insert into sms_usage_reports (team_id, message_id, zone, sent_at, due_at)
      select charge.team_id, charge.message_id, charge.zone, charge.created_at, ${tx.now}
      from ${rowsOf(messages, { teamId: 'uuid', messageId: 'uuid' }).as('billed')}
      join sms_ledger as charge on charge.team_id = billed.team_id and charge.message_id = billed.message_id
        and charge.kind = 'overage'
      where not exists (
        select from sms_ledger as reversal
        where reversal.team_id = billed.team_id and reversal.message_id = billed.message_id and reversal.kind = 'reversal'
      )
      on conflict do nothing
      returning team_id
    )
    select distinct team_id as "teamId" from added order by team_id
  `)
  // An existing job keeps its time: it finds the new reports at its next run, and does not run early while the provider
  // is down.
  const jobs = rows.map(({ teamId }) => ({ teamId, key: teamId }))
  tx.withCommit(enqueueJobs(tx, reportUsageJob, jobs))
}
