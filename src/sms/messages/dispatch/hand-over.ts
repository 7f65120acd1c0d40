import { sql } from 'kysely'
import type { App, Tx } from '../../../context.ts'
import { gatheredFor } from '../../../platform/gather.ts'
import { LeaseLost, type TeamJob } from '../../../platform/jobs/job.ts'
import { liveTeamOf } from '../../../platform/mode.ts'
import { rowsOf } from '../../../platform/sql-rows.ts'
import type { OutboundSms, SmsAnswer } from '../../provider.ts'
import { smsProviderOf } from '../../provider-of.ts'

/**
 * Hands the message of a job to the provider, at most once: the answer for a message with a mark is `unknown`. Null if the
 * message was deleted. Throws `LeaseLost` if another process holds the job.
 */
export async function handOver(app: App, job: TeamJob): Promise<SmsAnswer | null> {
  const marked = await mark(app, job)
  if (marked.kind === 'gone') return null
  if (marked.kind === 'ready') return smsProviderOf(app, job.teamId).send(marked.message)
  const message = 'The process that was handing it over ended before the answer was recorded. It is not sent again.'
  return { kind: 'unknown', message }
}

type Marked =
  /** Marked by this call, which alone may send it. */
  | { kind: 'ready'; message: OutboundSms }
  /** Marked before, and its outcome was never recorded. */
  | { kind: 'handedOver' }
  /** Deleted with its team. */
  | { kind: 'gone' }

/**
 * Marks a message as being handed over, in a separate commit before the request to the provider. After that commit, no other
 * process hands the message over. Calls share commits.
 */
const mark: (app: App, job: TeamJob) => Promise<Marked> = gatheredFor(
  async (app, jobs) => {
    // COMMIT follows in the same write, before the answer is read.
    const { marking } = await app.transaction(async (tx) => {
      const marking = markAll(app, tx, jobs)
      tx.unread(marking)
      return { marking }
    })
    return marking
  },
  { itemsMax: 200, flushesMax: 1 },
)

async function markAll(app: App, tx: Tx, jobs: TeamJob[]): Promise<(Marked | Error)[]> {
  const found = await markMessages(app, tx, jobs)
  return jobs.map((job) => {
    const row = found.get(job.id)
    if (!row) return new LeaseLost()
    const { isMarked, exists, ...message } = row
    if (isMarked) return { kind: 'ready', message }
    return { kind: exists ? 'handedOver' : 'gone' }
  })
}

const columns = {
  id: 'bigint',
  leaseToken: 'uuid',
  teamId: 'uuid',
  key: 'uuid',
  ownerId: 'uuid',
  provider: 'text',
} as const

type Row = OutboundSms & { isMarked: boolean; exists: boolean }

/** Returns rows by the job's id, without jobs whose lease is lost. Each lease stays locked until the mark is committed. */
async function markMessages(app: App, tx: Tx, jobs: TeamJob[]): Promise<Map<string, Row>> {
  const leases = jobs.map(({ id, leaseToken, teamId, key }) => {
    return { id, leaseToken, teamId, key, ownerId: liveTeamOf(teamId), provider: smsProviderOf(app, teamId).name }
  })
  const rows = await tx.send(sql<Row & { jobId: string }>`
    with held as materialized (
      select jobs.id as job_id, lease.team_id, lease.owner_id, lease.provider, lease.key as message_id
      from ${rowsOf(leases, columns).as('lease')}
      join jobs on jobs.id = lease.id and jobs.lease_token = lease.lease_token
      order by jobs.id for update of jobs
    ), marked as (
      update sms_messages as message set handed_over_at = ${tx.now}, provider = held.provider
      from held
      where message.team_id = held.team_id and message.id = held.message_id and message.handed_over_at is null
      returning message.id
    )
    select held.job_id as "jobId", held.team_id as "teamId", held.message_id as "messageId",
      marked.id is not null as "isMarked", message.id is not null as exists, sender.sender_id as "from",
      sender.sender_type as "senderType", sender.provider_ref as "providerRef", message.to_number as "to", message.body,
      message.message_type as "messageType"
    from held
    left join marked on marked.id = held.message_id
    left join sms_messages as message on message.team_id = held.team_id and message.id = held.message_id
    left join sms_senders as sender on sender.team_id = held.owner_id and sender.id = message.sender_id
  `)
  return new Map(rows.map(({ jobId, ...row }) => [jobId, row]))
}
