import { sql } from 'kysely'
import type { App, Tx } from '../../../context.ts'
import { gatheredFor } from '../../../platform/gather.ts'
import { type Job, LeaseLost } from '../../../platform/jobs/job.ts'
import type { OutboundSms } from '../../provider.ts'

export type Begun =
  /** It is ours to send, once. */
  | { kind: 'ready'; message: OutboundSms }
  /** Somebody had it to send, and never recorded what came of it. */
  | { kind: 'handedOver' }
  /** With its team. */
  | { kind: 'gone' }

/**
 * Marks a message as being handed over, in a commit of its own: whatever happens from here on, nobody hands it over again.
 * Only who holds its job may; throws `LeaseLost`. Many at a time share a commit.
 */
export const beginHandOver: (app: App, job: Job) => Promise<Begun> = gatheredFor(
  (app, jobs) => app.transaction((tx) => beginAll(tx, app.smsProvider.name, jobs)),
  { itemsMax: 200, flushesMax: 1 },
)

async function beginAll(tx: Tx, provider: string, jobs: Job[]): Promise<(Begun | Error)[]> {
  const found = await markHandedOver(tx, provider, jobs)
  return jobs.map((job) => {
    const row = found.get(job.id)
    if (!row) return new LeaseLost()
    const { isMarked, exists, ...message } = row
    if (isMarked) return { kind: 'ready', message }
    return { kind: exists ? 'handedOver' : 'gone' }
  })
}

type Row = OutboundSms & { isMarked: boolean; exists: boolean }

/** By the job's id; those whose lease is lost are missing. The lease's row is locked until the mark is committed. */
async function markHandedOver(tx: Tx, provider: string, jobs: Job[]): Promise<Map<string, Row>> {
  const { rows } = await sql<Row & { jobId: string }>`
    with held as materialized (
      select jobs.id as job_id, lease.team_id, lease.message_id
      from unnest(${jobs.map(({ id }) => id)}::bigint[], ${jobs.map(({ leaseToken }) => leaseToken)}::uuid[],
        ${jobs.map(({ teamId }) => teamId)}::uuid[], ${jobs.map(({ key }) => key)}::uuid[])
        as lease (id, token, team_id, message_id)
      join jobs on jobs.id = lease.id and jobs.lease_token = lease.token
      order by jobs.id for update of jobs
    ), marked as (
      update sms_messages as message set handed_over_at = ${tx.now}, provider = ${provider}
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
    left join sms_senders as sender on sender.team_id = message.team_id and sender.id = message.sender_id
  `.execute(tx.db)
  return new Map(rows.map(({ jobId, ...row }) => [jobId, row]))
}
