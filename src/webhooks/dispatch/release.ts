import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { enqueueJobs } from '../../platform/jobs/enqueue.ts'
import type { TeamJob } from '../../platform/jobs/job.ts'
import { deleteHeldJobs } from '../../platform/jobs/leases.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { gatheredFor } from '../../platform/transaction/gather.ts'
import { deliverToEndpointJob } from '../jobs.ts'

/** `more`: deliveries are due. `busy`: a transaction is adding one. */
type Released = 'done' | 'more' | 'busy'

/**
 * Releases an endpoint: deletes its job, or sets it to the next retry. Adding a delivery locks the webhook's row. Under
 * that lock, all deliveries added before are visible, and a later one finds no job and adds one.
 */
export const releaseEndpoint: (app: App, job: TeamJob) => Promise<Released> = gatheredFor(
  (app, jobs) => app.transaction((tx) => releaseAll(tx, jobs)),
  { itemsMax: 100, flushesMax: 2 },
)

type Free = { id: string; isActive: boolean; dueAt: Date | null }

async function releaseAll(tx: Tx, jobs: TeamJob[]): Promise<Released[]> {
  const free = await findNextDue(tx, await lockFree(tx, jobs))
  const idle = jobs.filter(({ key }) => {
    const endpoint = free.get(key)
    return endpoint !== undefined && !hasMore(tx, endpoint)
  })
  const held = await deleteHeldJobs(tx, idle)
  const retries = idle.flatMap((job) => {
    const { key, teamId } = job
    const { dueAt } = free.get(key)!
    return held.has(job) && dueAt ? [{ key, teamId, runAt: dueAt }] : []
  })
  await enqueueJobs(tx, deliverToEndpointJob, retries)
  const done = new Set(idle.map(({ id }) => id))
  return jobs.map(({ id, key }) => (done.has(id) ? 'done' : free.has(key) ? 'more' : 'busy'))
}

/** Tells whether work is left. Pending deliveries of an inactive endpoint fail now, whenever they are due. */
function hasMore(tx: Tx, { isActive, dueAt }: Free): boolean {
  return dueAt !== null && (!isActive || dueAt <= tx.now)
}

async function lockFree(tx: Tx, jobs: TeamJob[]): Promise<{ id: string; isActive: boolean }[]> {
  const { rows } = await sql<{ id: string; isActive: boolean }>`
    select webhook.id, webhook.status = 'active' as "isActive"
    from ${rowsOf(jobs, { teamId: 'uuid', key: 'uuid' }).as('job')}
    join webhooks as webhook on webhook.team_id = job.team_id and webhook.id = job.key
    for update of webhook skip locked
  `.execute(tx.db)
  return rows
}

/** Finds the next due deliveries. A separate statement, because only one that begins under the lock sees all rows. */
async function findNextDue(tx: Tx, locked: { id: string; isActive: boolean }[]): Promise<Map<string, Free>> {
  if (locked.length === 0) return new Map()
  const { rows } = await sql<{ id: string; dueAt: Date | null }>`
    select free.id, (
      select due_at from webhook_deliveries where webhook_id = free.id and due_at is not null order by due_at limit 1
    ) as "dueAt"
    from ${rowsOf(locked, { id: 'uuid' }).as('free')}
  `.execute(tx.db)
  const dueAt = new Map(rows.map((row) => [row.id, row.dueAt]))
  return new Map(locked.map((endpoint) => [endpoint.id, { ...endpoint, dueAt: dueAt.get(endpoint.id) ?? null }]))
}
