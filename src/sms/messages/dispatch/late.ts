import { sql } from 'kysely'
import type { Tx } from '../../../context.ts'
import { deleteJobs } from '../../../platform/jobs/waiting-jobs.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { deliverSmsJob } from '../../jobs.ts'

type MessageRef = { teamId: string; key: string }

/**
 * Takes messages over for answers of the provider that come after the lease was lost. Only the process that asked the
 * provider knows its answer, and no other sends the message, so the answer counts while nothing better is known.
 * Returns those messages by id. Their job is removed, so that no worker records an unknown outcome afterwards.
 */
export async function takeLate(tx: Tx, messages: MessageRef[]): Promise<Map<string, { isReported: boolean }>> {
  if (messages.length === 0) return new Map()
  const keys = messages.map(({ key }) => key)
  await deleteJobs(tx, [deliverSmsJob], keys)
  const refs = rowsOf(messages, { teamId: 'uuid', key: 'uuid' }).as('late')
  // The reports are read after the wait for the lock, because they are written under it.
  void tx.send(sql`
    select message.id from ${refs} join sms_messages as message on message.team_id = late.team_id and message.id = late.key
    order by message.id for no key update of message
  `)
  const rows = await tx.send(sql<{ id: string; isReported: boolean }>`
    select message.id, exists (
      select from sms_usage_reports as report
      where report.team_id = message.team_id and report.message_id = message.id
    ) as "isReported"
    from ${refs} join sms_messages as message on message.team_id = late.team_id and message.id = late.key
    where message.billable is null
      or (message.billable and message.status = 'accepted' and message.provider_message_id is null)
  `)
  return new Map(rows.map(({ id, isReported }) => [id, { isReported }]))
}
