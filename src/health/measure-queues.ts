import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { App, Db } from '../context.ts'
import { registry } from '../platform/metrics.ts'
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
  const measured = findQueues(app.db, now).then(
    (queues) => setGauges(queues, now),
    () => setGauges([], now),
  )
  await Promise.race([measured, sleep(waitMs, undefined, { ref: false })])
}

type Queue = { kind: string; due: number; oldest: Date }

function setGauges(queues: Queue[], now: Date): void {
  depth.reset()
  age.reset()
  for (const { kind, due, oldest } of queues) {
    depth.set({ kind }, due)
    age.set({ kind }, Math.max(0, now.getTime() - oldest.getTime()) / 1000)
  }
}

/** Steps from kind to kind on the index of due jobs. A leased job is due when its lease ends. */
async function findQueues(db: Db, now: Date): Promise<Queue[]> {
  const { rows } = await sql<Queue>`
    with recursive queue (kind) as (
      select min(kind) from jobs
      union all
      select (select min(kind) from jobs where jobs.kind > queue.kind) from queue where queue.kind is not null
    )
    select queue.kind, waiting.due, waiting.oldest from queue
    cross join lateral (
      select count(*)::int as due, min(run_at) as oldest
      from (select run_at from jobs where jobs.kind = queue.kind and run_at <= ${now} order by run_at limit ${countMax}) as first
    ) as waiting
    where waiting.due > 0
  `.execute(db)
  return rows
}
