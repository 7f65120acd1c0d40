import { sql } from 'kysely'
import pg from 'pg'
import type { App } from '../src/context.ts'
import { idGenerator } from '../src/platform/ids.ts'
import { enqueueJobs } from '../src/platform/jobs/enqueue.ts'
import type { Job, JobDefinition, JobKind } from '../src/platform/jobs/job.ts'
import { createJobRunner } from '../src/platform/jobs/runner.ts'
import { createKeyring } from '../src/platform/keys/keyring.ts'
import { migrate } from '../src/platform/migrate/migrate.ts'
import { openDatabase } from '../src/platform/sql/db.ts'
import { gather } from '../src/platform/transaction/gather.ts'
import { transactions } from '../src/platform/transaction/transaction.ts'
import type { JobQueue } from './job-queue.ts'
import { openApp } from './open-app.ts'

const doNothing: JobKind<Job<{ n: number }>> = { kind: 'bench.nothing' }
const concurrency = 1000

/** Our own queue, by `enqueueJobs` and the runner. */
export async function ourQueue(connection: pg.ClientConfig): Promise<JobQueue> {
  const client = new pg.Client(connection)
  await client.connect()
  await migrate(client).finally(() => client.end())
  const connections = openDatabase(connection, () => undefined)
  let ran = 0
  let onAll = () => {}
  let wanted = 0
  const nothing: JobDefinition = {
    ...{ ...doNothing, retryDelaysMs: [1000], concurrency },
    run: async () => {
      if (++ran === wanted) onAll()
      return undefined
    },
  }
  const app = await benchApp(connections, nothing)
  const orders = (count: number) => sql`insert into orders (note) select 'paid' from generate_series(1, ${count}::int)`
  const add = (count: number, rows: number) =>
    app.transaction(async (tx) => {
      await orders(rows).execute(tx.db)
      await enqueueJobs(
        tx,
        doNothing,
        Array.from({ length: count }, (_, n) => ({ payload: { n } })),
      )
    })
  const addOne = gather<null, null>(
    async (callers) => {
      await add(callers.length, callers.length)
      return callers.map(() => null)
    },
    { itemsMax: 100, flushesMax: 2 },
  )
  return {
    name: 'ours',
    enqueue: (count) => add(count, 1),
    enqueueOne: async () => void (await addOne(null)),
    async process(count) {
      ran = 0
      wanted = count
      const all = new Promise<void>((resolve) => {
        onAll = resolve
      })
      app.jobs.start()
      await all
      // Waits for running jobs, and for the removal of the last ones.
      await app.jobs.stop(60_000)
    },
    async clear() {
      await connections.pool.query('truncate jobs, orders')
    },
    close: () => connections.close(),
  }
}

/** Creates the app with one kind of job instead of its usual ones. */
async function benchApp(connections: ReturnType<typeof openDatabase>, definition: JobDefinition): Promise<App> {
  const whole = await openApp(connections)
  const jobs = createJobRunner({ app: () => app, definitions: [definition], leaseMs: 30_000 })
  const transaction = transactions({
    pool: connections.pool,
    clock: whole.clock,
    newId: idGenerator(),
    jobs: () => jobs,
    subscriptions: [],
    keyring: createKeyring('a secret of the benchmarks, thirty-two bytes and more'),
  })
  const app: App = { ...whole, jobs, transaction }
  return app
}
