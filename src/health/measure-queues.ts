import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { App, Db } from '../context.ts'
import { ofLivingTeam } from '../platform/jobs/claim.ts'
import { registry } from '../platform/log/metrics.ts'
import { perApp } from '../platform/per-app.ts'

const depth = new Gauge({
  name: 'posthorn_jobs_due',
  help: 'Jobs that are due and wait for a worker, by kind, counted up to 10000.',
  labelNames: ['kind'],
  registers: [registry],
})
const age = new Gauge({
  name: 'posthorn_jobs_oldest_due_seconds',
  help: 'How long the oldest due job has waited for a worker, by kind.',
  labelNames: ['kind'],
  registers: [registry],
})

const failing = new Gauge({
  name: 'posthorn_jobs_failing',
  help: 'Jobs whose last attempt failed and that wait for the next one, by kind, counted up to 10000.',
  labelNames: ['kind'],
  registers: [registry],
})
const discarded = new Gauge({
  name: 'posthorn_jobs_discarded',
  help: 'Jobs that failed for the last time within 30 days and were not run again, by kind, counted up to 10000 together.',
  labelNames: ['kind'],
  registers: [registry],
})

const unconfirmed = new Gauge({
  name: 'posthorn_webhooks_unconfirmed',
  help: 'Active webhooks whose endpoint has accepted nothing at its URL so far, counted up to 10000.',
  registers: [registry],
})

/** Scrapes within this time show the same numbers. */
const keptMs = 5000
/** A slow database does not hold up the other metrics. */
const waitMs = 2000
/** Reading this many entries of the index takes a few milliseconds. */
const countMax = 10_000

const lookOf = perApp(() => ({ lastMs: Number.NEGATIVE_INFINITY }))

/** Sets the gauges of the queues of all processes. While the database is out of reach they show nothing. */
export async function measureQueues(app: App): Promise<void> {
  const look = lookOf(app)
  const now = app.clock.now()
  if (now.getTime() - look.lastMs < keptMs) return
  look.lastMs = now.getTime()
  const measured = Promise.all([findQueues(app.db, now), findDiscarded(app.db), countUnconfirmed(app.db)]).then(
    ([queues, ended, count]) => {
      setGauges(queues, ended, now)
      unconfirmed.set(count)
    },
    () => setGauges([], [], now),
  )
  await Promise.race([measured, sleep(waitMs, undefined, { ref: false })])
}

type Queue = { kind: string; due: number; oldest: Date | null; failing: number }
type Discarded = { kind: string; count: number }

function setGauges(queues: Queue[], ended: Discarded[], now: Date): void {
  for (const gauge of [depth, age, failing, discarded]) gauge.reset()
  for (const { kind, due, oldest, failing: failed } of queues) {
    if (oldest) {
      depth.set({ kind }, due)
      age.set({ kind }, Math.max(0, now.getTime() - oldest.getTime()) / 1000)
    }
    if (failed > 0) failing.set({ kind }, failed)
  }
  for (const { kind, count } of ended) discarded.set({ kind }, count)
}

async function countUnconfirmed(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (select from webhooks where not confirmed and status = 'active' limit ${countMax}) as counted
  `.execute(db)
  return rows[0]!.count
}

async function findDiscarded(db: Db): Promise<Discarded[]> {
  const { rows } = await sql<Discarded>`
    select kind, count(*)::int as count from (select kind from discarded_jobs limit ${countMax}) as counted group by kind
  `.execute(db)
  return rows
}

/** Steps from kind to kind on the index of due jobs. A leased job is due when its lease ends. */
async function findQueues(db: Db, now: Date): Promise<Queue[]> {
  const { rows } = await sql<Queue>`
    with recursive queue (kind) as (
      select min(kind) from jobs
      union all
      select (select min(kind) from jobs where jobs.kind > queue.kind) from queue where queue.kind is not null
    )
    select queue.kind, waiting.due, waiting.oldest, failed.count as failing from queue
    cross join lateral (
      select count(*)::int as due, min(run_at) as oldest
      from (
        select run_at from jobs where jobs.kind = queue.kind and run_at <= ${now} and ${ofLivingTeam}
        order by run_at limit ${countMax}
      ) as first
    ) as waiting
    cross join lateral (
      select count(*)::int as count from (
        select from jobs where jobs.kind = queue.kind and last_error is not null and lease_token is null limit ${countMax}
      ) as counted
    ) as failed
    where waiting.due > 0 or failed.count > 0
  `.execute(db)
  return rows
}
