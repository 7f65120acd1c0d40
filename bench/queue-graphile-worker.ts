import pg from 'pg'
import { business, type JobQueue } from './job-queue.ts'
import { importPeer } from './peers.ts'

/** The used part of graphile-worker 0.18. */
type GraphileWorker = {
  run(options: object): Promise<{ stop(): Promise<void>; promise: Promise<void> }>
  runMigrations(options: object): Promise<void>
  Logger: new (factory: () => () => void) => unknown
}

const task = 'nothing'

/**
 * Its own batches in both directions; `completeJobBatchDelay` 0 collects jobs that end in one turn of the event loop.
 */
const fastest = {
  ...{ concurrentJobs: 96, maxPoolSize: 12, pollInterval: 100 },
  ...{ localQueue: { size: 1000 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
}

const addJobs = {
  name: 'add-jobs',
  text: `
    select count(*) from graphile_worker.add_jobs(array(
      select row(identifier, payload, null, null, null, null, null, null)::graphile_worker.job_spec
      from json_to_recordset($1::json) as given (identifier text, payload json)
    ))
  `,
}

export async function graphileWorkerQueue(connection: pg.ClientConfig): Promise<JobQueue> {
  const { run, runMigrations, Logger } = await importPeer<GraphileWorker>('graphile-worker')
  const logger = new Logger(() => () => undefined)
  const pool = new pg.Pool({ ...connection, max: 12 })
  pool.on('error', () => undefined)
  // It warns if a connection in use has no listener.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  await runMigrations({ pgPool: pool, logger })
  async function add(count: number): Promise<void> {
    const client = await pool.connect()
    const specs = Array.from({ length: count }, (_, n) => ({ identifier: task, payload: { n } }))
    await client.query('begin')
    await client.query(business.insert)
    await client.query({ ...addJobs, values: [JSON.stringify(specs)] })
    await client.query('commit')
    client.release()
  }
  return {
    name: 'graphile-worker',
    enqueue: add,
    enqueueOne: () => add(1),
    async process(count) {
      let ran = 0
      let onAll = () => {}
      const all = new Promise<void>((resolve) => {
        onAll = resolve
      })
      const nothing = async () => {
        if (++ran === count) onAll()
      }
      const preset = { worker: fastest }
      const runner = await run({ pgPool: pool, logger, taskList: { [task]: nothing }, preset, noHandleSignals: true })
      await all
      await runner.stop()
    },
    clear: async () => void (await pool.query('truncate graphile_worker._private_jobs, orders')),
    close: () => pool.end(),
  }
}
