import { join } from 'node:path'
import { closedLoop } from './closed-loop.ts'
import { perSecond } from './format.ts'
import { business, type JobQueue } from './job-queue.ts'
import { installPeers } from './peers.ts'
import { graphileWorkerQueue } from './queue-graphile-worker.ts'
import { ourQueue } from './queue-ours.ts'
import { pgBossQueue } from './queue-pg-boss.ts'
import { startPostgres } from './start-postgres.ts'
import { inTurns, median } from './statistics.ts'
import { inTemporaryFolder } from './temporary-folder.ts'
import type { Options, Result, Workload } from './workload.ts'

const callers = 32
const batchCallers = 4
const batch = 100

/** Row 6: adding jobs in transactions, and running jobs that do nothing. */
export const jobs: Workload = {
  name: 'jobs',
  run: (options) =>
    inTemporaryFolder(async (folder) => {
      await installPeers(options.say)
      const server = await startPostgres(join(folder, 'database'), 1)
      await server.pool.query(business.create)
      const open = [ourQueue, pgBossQueue, graphileWorkerQueue]
      const queues = await Promise.all(open.map((queue) => queue(server.connection)))
      try {
        return await measure(options, queues)
      } finally {
        for (const queue of queues) await queue.close()
        await server.stop()
      }
    }),
}

type Figures = Record<string, number[]>

async function measure(options: Options, queues: JobQueue[]): Promise<Result[]> {
  const count = options.quick ? 5000 : 50_000
  const kinds = {
    one: (queue: JobQueue) => addByMany(queue, options.seconds),
    batches: (queue: JobQueue) => addInBatches(queue, options.seconds),
    process: (queue: JobQueue) => processAll(queue, count),
  }
  const figures: Record<string, Figures> = {}
  for (const [kind, work] of Object.entries(kinds)) {
    const sides = queues.map((queue) => {
      const side = async () => {
        await queue.clear()
        const figure = await work(queue)
        options.say(`${kind}: ${queue.name} ${perSecond(figure)}`)
        return figure
      }
      return [queue.name, side] as const
    })
    for (const [, side] of options.quick ? [] : sides) await side()
    figures[kind] = await inTurns(options.rounds, Object.fromEntries(sides))
  }
  return [
    line('6a', `a row and a job a caller, ${callers} callers, durable when answered`, figures.one!, 5),
    line('6b', `transactions of a row and ${batch} jobs, ${batchCallers} callers`, figures.batches!, 5),
    line('6c', `no-op jobs, ${count} waiting`, figures.process!, 1.3),
  ]
}

async function addByMany(queue: JobQueue, seconds: number): Promise<number> {
  return (await closedLoop(callers, seconds, () => queue.enqueueOne())).perSecond
}

async function addInBatches(queue: JobQueue, seconds: number): Promise<number> {
  return (await closedLoop(batchCallers, seconds, () => queue.enqueue(batch))).perSecond * batch
}

async function processAll(queue: JobQueue, count: number): Promise<number> {
  const size = 1000
  for (let added = 0; added < count; added += size) await queue.enqueue(size)
  const started = performance.now()
  await queue.process(count)
  return (count / (performance.now() - started)) * 1000
}

/** Compares with the best of the others. */
function line(row: string, what: string, figures: Figures, atLeast: number): Result {
  const { ours, ...others } = figures
  const medians = Object.entries(others).map(([name, values]) => ({ name, values, value: median(values) }))
  const best = medians.reduce((most, each) => (each.value > most.value ? each : most))
  const ratio = median(ours!.map((value, round) => value / best.values[round]!))
  return {
    ...{ row, what, ours: perSecond(median(ours!)), ratio },
    reference: medians.map(({ name, value }) => `${perSecond(value)} ${name}`).join(', '),
    target: `>= ${atLeast}x the best`,
    met: ratio >= atLeast,
  }
}
