import { sql } from 'kysely'
import type { App, Tx } from '../../../context.ts'
import { handsOverOnce } from '../../../phone/hand-over.ts'
import type { TeamJob } from '../../../platform/jobs/job.ts'
import { liveTeamOf, modeOf } from '../../../platform/mode/mode.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { whileDatabaseIsGone } from '../../../platform/transaction/while-database-is-gone.ts'
import type { OutboundSms, SmsAnswer } from '../../provider.ts'
import { inactiveSender, refusalOfWaiting } from './own-refusals.ts'

/** Hands the SMS of a job to the provider, at most once. It is `refused` if the sender is not active. */
export const handOver = handsOverOnce<TeamJob, Row, OutboundSms, SmsAnswer>({
  mark: markMessages,
  markedOf({ isMarked, exists, wasHandedOver, ...message }) {
    if (isMarked) return { kind: 'ready', message }
    if (!exists) return { kind: 'gone' }
    return wasHandedOver ? { kind: 'handedOver' } : { kind: 'refused', answer: inactiveSender }
  },
  send: (app, message) => app.providers.sms[modeOf(message.teamId)].send(message),
})

/** Much less than the 10 s within which a caller is told that the database is out of reach. */
const checkAgainMs = 3000

/**
 * Hands over an SMS that has waited: the process that accepted it died, or it is one of the last of a batch. It is
 * `refused` if its recipient has opted out or was erased meanwhile.
 */
export async function handOverWaiting(app: App, job: TeamJob) {
  return (await whileDatabaseIsGone(() => refusalOfWaiting(app, job), checkAgainMs)) ?? (await handOver(app, job))
}

const columns = {
  id: 'bigint',
  leaseToken: 'uuid',
  teamId: 'uuid',
  key: 'uuid',
  ownerId: 'uuid',
  provider: 'text',
} as const

type Row = OutboundSms & { isMarked: boolean; exists: boolean; wasHandedOver: boolean }

/**
 * Returns rows by the job's id, without jobs whose lease is lost. Each lease stays locked until the mark is committed.
 */
async function markMessages(app: App, tx: Tx, jobs: TeamJob[]): Promise<Map<string, Row>> {
  const leases = jobs.map(({ id, leaseToken, teamId, key }) => {
    const { name: provider } = app.providers.sms[modeOf(teamId)]
    return { id, leaseToken, teamId, key, ownerId: liveTeamOf(teamId), provider }
  })
  const rows = await tx.send(sql<Row & { jobId: string }>`
    with held as materialized (
      select jobs.id as job_id, lease.team_id, lease.owner_id, lease.provider, lease.key as message_id
      from ${rowsOf(leases, columns).as('lease')}
      join jobs on jobs.id = lease.id and jobs.lease_token = lease.lease_token
      order by jobs.id for update of jobs
    ), marked as (
      update sms_messages as message set handed_over_at = ${tx.now}, provider = held.provider
      from held, sms_senders as sender
      where message.team_id = held.team_id and message.id = held.message_id and message.handed_over_at is null
        and sender.team_id = held.owner_id and sender.id = message.sender_id
        and (sender.status = 'active' or held.owner_id <> held.team_id)
      returning message.id
    )
    select held.job_id as "jobId", held.team_id as "teamId", held.message_id as "messageId",
      marked.id is not null as "isMarked", message.id is not null as exists,
      message.handed_over_at is not null as "wasHandedOver", sender.sender_id as "from",
      sender.sender_type as "senderType", sender.provider_ref as "providerRef", message.to_number as "to", message.body,
      message.message_type as "messageType"
    from held
    left join marked on marked.id = held.message_id
    left join sms_messages as message on message.team_id = held.team_id and message.id = held.message_id
    left join sms_senders as sender on sender.team_id = held.owner_id and sender.id = message.sender_id
  `)
  return new Map(rows.map(({ jobId, ...row }) => [jobId, row]))
}
