import { sql } from 'kysely'
import type { App, Db } from '../../context.ts'
import type { TeamJob } from '../../platform/jobs/job.ts'
import { opaqueArray, rowsOf } from '../../platform/sql/sql-rows.ts'
import { gatheredFor } from '../../platform/transaction/gather.ts'
import type { SignatureScheme, WebhookStatus } from '../table.ts'

/** `sealedSecrets` has the newest first. After a rotation it also has the previous one. */
export type Endpoint = { url: string; sealedSecrets: string[]; scheme: SignatureScheme; status: WebhookStatus }

/** `attempts` counts those before this one. */
export type Due = {
  teamId: string
  webhookId: string
  id: string
  attempts: number
  payload: string
  /** False while the endpoint has accepted nothing at its present URL. */
  isConfirmed: boolean
}

type Ask = {
  job: TeamJob
  /** The number of deliveries to take at most, beside those already held. */
  count: number
  held: string[]
}

/** Null if the webhook was deleted, or another process has taken the endpoint over. */
type Taken = { endpoint: Endpoint; due: Due[] } | null

/** Reads an endpoint and its due deliveries, the longest due first. Concurrent calls share a statement. */
export const takeDue: (app: App, ask: Ask) => Promise<Taken> = gatheredFor(
  (app, asks) => findDue(app.db, app.clock.now(), asks),
  { itemsMax: 100, flushesMax: 2 },
)

type Row = {
  webhookId: string
  url: string
  /** Separated by blanks, because each row repeats them and an array takes long to read. */
  sealedSecrets: string
  scheme: SignatureScheme
  status: WebhookStatus
  isConfirmed: boolean
  id: string | null
  attempts: number
  payload: string
}

/**
 * Finds due deliveries by the index's own columns only. With any other condition the planner expects few rows and sorts
 * all due ones for each page. Deliveries that are held already are therefore read and skipped.
 */
async function findDue(db: Db, now: Date, asks: Ask[]): Promise<Taken[]> {
  const held = asks.flatMap((ask) => ask.held)
  const wanted = asks.map(({ job, count, held }) => ({ ...job, count: count + held.length }))
  const columns = { id: 'bigint', leaseToken: 'uuid', teamId: 'uuid', key: 'uuid', count: 'int' } as const
  const { rows } = await sql<Row>`
    select webhook.id as "webhookId", endpoint_url as url, webhook.status, signature_scheme as scheme,
      webhook.confirmed as "isConfirmed",
      concat_ws(' ', signing_secret, case when previous_secret_until > ${now} then previous_signing_secret end)
        as "sealedSecrets",
      due.id, due.attempts, due.payload
    from ${rowsOf(wanted, columns).as('ask')}
    join jobs on jobs.id = ask.id and jobs.lease_token = ask.lease_token
    join webhooks as webhook on webhook.team_id = ask.team_id and webhook.id = ask.key
    left join lateral (
      -- The planner cannot look into a subquery, and so keeps one plan for all times, as with rowsOf.
      select id, attempts, payload from webhook_deliveries
      where webhook_id = ask.key and due_at <= (select ${now}::timestamptz)
      order by due_at limit ask.count
    ) as due on webhook.status = 'active' and due.id not in (select unnest(${opaqueArray(held, 'uuid')}))
  `.execute(db)
  const byWebhook = Map.groupBy(rows, ({ webhookId }) => webhookId)
  return asks.map((ask) => takenOf(ask, byWebhook.get(ask.job.key)))
}

function takenOf({ job: { teamId, key }, count }: Ask, rows: Row[] | undefined): Taken {
  const first = rows?.[0]
  if (!rows || !first) return null
  const { url, sealedSecrets, scheme, status } = first
  const due = rows.flatMap(({ id, attempts, payload, isConfirmed }) =>
    id === null ? [] : [{ teamId, webhookId: key, id, attempts, payload, isConfirmed }],
  )
  return { endpoint: { url, sealedSecrets: sealedSecrets.split(' '), scheme, status }, due: due.slice(0, count) }
}
