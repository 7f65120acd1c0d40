import { type RawBuilder, sql } from 'kysely'
import type { App, Tx } from '../context.ts'
import type { TeamJob } from '../platform/jobs/job.ts'
import { liveTeamOf, modeOf } from '../platform/mode/mode.ts'
import { rowsOf } from '../platform/sql/sql-rows.ts'
import type { NumberChannel } from './table.ts'

/** The SQL by which messages of a channel are marked. It reads `message`, `sender` and `held`. */
export type Marking = {
  channel: NumberChannel
  /** The columns that the provider needs. */
  columns: RawBuilder<unknown>
  /** Further columns that are set with the time, with a comma before them. */
  alsoSet?: RawBuilder<unknown>
}

export type MarkedRow = {
  teamId: string
  messageId: string
  /** Marked by this statement. */
  isMarked: boolean
  exists: boolean
  wasHandedOver: boolean
}

const leaseColumns = {
  id: 'bigint',
  leaseToken: 'uuid',
  teamId: 'uuid',
  key: 'uuid',
  ownerId: 'uuid',
  provider: 'text',
} as const

/**
 * Marks messages as handed over, unless they are marked already, have ended, or their sender is not active. Returns
 * rows by the job's id, without jobs whose lease is lost. Each lease stays locked until the mark is committed.
 */
export async function markMessages<Columns>(
  app: App,
  tx: Tx,
  jobs: TeamJob[],
  { channel, columns, alsoSet = sql`` }: Marking,
): Promise<Map<string, MarkedRow & Columns>> {
  const [messages, senders] = [sql.table(`${channel}_messages`), sql.table(`${channel}_senders`)]
  const leases = jobs.map(({ id, leaseToken, teamId, key }) => {
    const { name: provider } = app.providers[channel][modeOf(teamId)]
    return { id, leaseToken, teamId, key, ownerId: liveTeamOf(teamId), provider }
  })
  const rows = await tx.send(sql<MarkedRow & Columns & { jobId: string }>`
    with held as materialized (
      select jobs.id as job_id, lease.team_id, lease.owner_id, lease.provider, lease.key as message_id
      from ${rowsOf(leases, leaseColumns).as('lease')}
      join jobs on jobs.id = lease.id and jobs.lease_token = lease.lease_token
      order by jobs.id for update of jobs
    ), marked as (
      update ${messages} as message set handed_over_at = ${tx.now}${alsoSet}
      from held, ${senders} as sender
      where message.team_id = held.team_id and message.id = held.message_id and message.handed_over_at is null
        and message.status = 'accepted' and sender.team_id = held.owner_id and sender.id = message.sender_id
        and (sender.status = 'active' or held.owner_id <> held.team_id)
      returning message.id
    )
    select held.job_id as "jobId", held.team_id as "teamId", held.message_id as "messageId",
      marked.id is not null as "isMarked", message.id is not null as exists,
      message.handed_over_at is not null as "wasHandedOver", ${columns}
    from held
    left join marked on marked.id = held.message_id
    left join ${messages} as message on message.team_id = held.team_id and message.id = held.message_id
    left join ${senders} as sender on sender.team_id = held.owner_id and sender.id = message.sender_id
  `)
  // The type loses the generic part when `jobId` is taken out.
  return new Map(rows.map(({ jobId, ...row }) => [jobId, row as MarkedRow & Columns]))
}
