import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Tx } from '../context.ts'
import type { Database } from '../database.ts'
import type { Clock } from './clock.ts'
import { answered, isReadOnly, preparing } from './db.ts'
import type { Subscription } from './events.ts'
import type { NewId } from './ids.ts'
import { refuseInsideTransaction, runInsideTransaction } from './inside.ts'
import type { JobRunner } from './jobs/runner.ts'
import type { Keyring } from './keyring.ts'

export type Transaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** Serialisation failure, deadlock, and a prepared plan that a migration made stale: the next attempt may succeed. */
const retryable = new Set(['40001', '40P01', '0A000'])
const attemptsMax = 4

type Parts = {
  pool: pg.Pool
  clock: Clock
  newId: NewId
  keyring: Keyring
  jobs: () => JobRunner
  subscriptions: readonly Subscription[]
}

/** Runs units of work on the pool. `work` may run several times; effects outside the database belong in `afterCommit`. */
export function transactions(parts: Parts): Transaction {
  return async (work) => {
    refuseInsideTransaction('A transaction')
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(parts, work)
      } catch (error) {
        if (attempt === attemptsMax || !retryable.has((error as { code?: string }).code ?? '')) throw error
      }
    }
  }
}

async function once<T>(parts: Parts, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await parts.pool.connect()
  const effects: (() => void)[] = []
  const now = parts.clock.now()
  const tx: Tx = {
    db: bound(client),
    now,
    newId: () => parts.newId(now),
    keyring: parts.keyring,
    afterCommit: (effect) => effects.push(effect),
    jobs: parts.jobs(),
    subscriptions: parts.subscriptions,
  }
  let result: T
  try {
    await answered(client, client.query('begin'))
    result = await runInsideTransaction(() => work(tx))
    await answered(client, client.query('commit'))
  } catch (error) {
    const undone = await answered(client, client.query('rollback')).then(
      () => true,
      () => false,
    )
    // A connection that cannot roll back, holds a stale plan, or leads to a read-only server is closed.
    const mustClose = !undone || (error as { code?: string }).code === '0A000' || isReadOnly(error)
    client.release(mustClose && (error as Error))
    throw error
  }
  client.release()
  for (const effect of effects) effect()
  return result
}

/** Returns Kysely on one connection that is already in a transaction. */
function bound(client: pg.PoolClient): Kysely<Database> {
  const statements = { ...preparing(client), release: () => undefined }
  return new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: { connect: async () => statements, end: async () => undefined, options: {} },
    }),
  })
}
