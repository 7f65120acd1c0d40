import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Tx } from '../../context.ts'
import type { Subscriber } from '../events.ts'
import type { NewId } from '../ids.ts'
import type { JobRunner } from '../jobs/runner.ts'
import type { Keyring } from '../keys/keyring.ts'
import { isReadOnly } from '../sql/gone.ts'
import type { Clock } from '../time/clock.ts'
import { refuseInsideTransaction, runInsideTransaction } from './inside.ts'
import { openUnitOfWork } from './unit-of-work.ts'

export type Transaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** A serialisation failure and a deadlock: the next attempt may succeed. */
const conflicts = new Set(['40001', '40P01'])
/** The SQLSTATE of a prepared plan that a migration made stale. */
const stalePlan = '0A000'
/** A stale plan, and a statement that the driver notes as prepared though the server has it no more. */
const unusablePlans = new Set([stalePlan, '26000'])
const attemptsMax = 4
/** The unit of work that survived a deadlock takes the freed row first, or both would meet again. */
const waitBeforeRetryMs = 20

type Parts = {
  pool: pg.Pool
  clock: Clock
  newId: NewId
  keyring: Keyring
  jobs: () => JobRunner
  subscriptions: readonly Subscriber[]
}

/**
 * Runs units of work on the pool. `work` may run several times; effects outside the database belong in `afterCommit`.
 */
export function transactions(parts: Parts): Transaction {
  return async (work) => {
    refuseInsideTransaction('A transaction')
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(parts, work)
      } catch (error) {
        if (attempt >= attemptsFor(error, parts.pool)) throw error
        await sleep(waitBeforeRetryMs * attempt)
      }
    }
  }
}

/** Every connection may hold a stale plan. Each attempt closes one of them, and new ones have no plans yet. */
function attemptsFor(error: unknown, pool: pg.Pool): number {
  const { code = '' } = error as { code?: string }
  if (code === stalePlan) return pool.options.max + 1
  return conflicts.has(code) ? attemptsMax : 1
}

async function once<T>(parts: Parts, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await parts.pool.connect()
  const unit = openUnitOfWork(client)
  const effects: (() => void)[] = []
  const now = parts.clock.now()
  const tx: Tx = {
    db: unit.db,
    send: unit.send,
    withCommit: unit.withCommit,
    now,
    newId: () => parts.newId(now),
    keyring: parts.keyring,
    afterCommit: (effect) => effects.push(effect),
    jobs: parts.jobs(),
    subscriptions: parts.subscriptions,
  }
  let result: T
  try {
    result = await runInsideTransaction(() => work(tx))
    await unit.commit()
  } catch (thrown) {
    const error = unit.causeOf(thrown)
    const undone = await unit.rollback()
    // A connection that cannot roll back, holds a stale plan, or leads to a read-only server is closed.
    const mustClose = !undone || unusablePlans.has((error as { code?: string }).code ?? '') || isReadOnly(error)
    client.release(mustClose && (error as Error))
    throw error
  }
  client.release()
  for (const effect of effects) effect()
  return result
}
