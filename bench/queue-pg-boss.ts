import pg from 'pg'
import { business, type JobQueue } from './job-queue.ts'
import { importPeer } from './peers.ts'

type Statements = { executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }> }
/** The used part of pg-boss 12. */
type Boss = {
  start(): Promise<unknown>
  createQueue(name: string): Promise<void>
  insert(name: string, jobs: { data: object }[], options: { db: Statements }): Promise<unknown>
  fetch(name: string, options: { batchSize: number }): Promise<{ id: string }[]>
  complete(name: string, ids: string[]): Promise<unknown>
  on(event: 'error', listener: () => void): void
  stop(options: { graceful: boolean }): Promise<void>
}
type PgBoss = { PgBoss: new (options: object) => Boss }

const queue = 'nothing'
/** Fetching batches in a loop is its fastest way, since its `work` polls at most twice a second. */
const batchSize = 500
const loops = 4

export async function pgBossQueue(connection: pg.ClientConfig): Promise<JobQueue> {
  const { PgBoss } = await importPeer<PgBoss>('pg-boss')
  const boss = new PgBoss({ ...connection, max: 12, supervise: false, schedule: false })
  boss.on('error', () => undefined)
  await boss.start()
  await boss.createQueue(queue)
  const pool = new pg.Pool({ ...connection, max: 12 })
  async function add(count: number): Promise<void> {
    const client = await pool.connect()
    const db = { executeSql: (text: string, values: unknown[]) => client.query(text, values) }
    await client.query('begin')
    await client.query(business.insert)
    const jobs = Array.from({ length: count }, (_, n) => ({ data: { n } }))
    await boss.insert(queue, jobs, { db })
    await client.query('commit')
    client.release()
  }
  async function loop(): Promise<void> {
    for (;;) {
      const jobs = await boss.fetch(queue, { batchSize })
      if (jobs.length === 0) return
      await boss.complete(
        queue,
        jobs.map((job) => job.id),
      )
    }
  }
  return {
    name: 'pg-boss',
    enqueue: add,
    enqueueOne: () => add(1),
    process: async () => void (await Promise.all(Array.from({ length: loops }, loop))),
    clear: async () => void (await pool.query('truncate pgboss.job, orders')),
    async close() {
      await boss.stop({ graceful: false })
      await pool.end()
    },
  }
}
