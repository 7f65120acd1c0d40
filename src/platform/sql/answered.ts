import type pg from 'pg'
import { answerMaxMs } from './begin-session.ts'
import { cutConnection } from './driver.ts'
import { causeOfRefusedWrite, type RefusedWrite } from './gone.ts'

const refusedWriteListeners = new WeakMap<pg.PoolClient, (refused: RefusedWrite) => void>()

/** Calls `listener` whenever the server of this connection could not take a write. */
export function onRefusedWrite(client: pg.PoolClient, listener: (refused: RefusedWrite) => void): void {
  refusedWriteListeners.set(client, listener)
}

/** The number of answers that each connection owes, and the timer that closes it. */
const debts = new WeakMap<pg.PoolClient, { owed: number; timer: NodeJS.Timeout }>()

/**
 * Waits for the answer to a statement. Closes a connection that owes answers and gives none, so that the caller gets an
 * error. Each answer gives the next one the whole time, since the server runs one statement after the other.
 */
export async function answered<T>(client: pg.PoolClient, answer: Promise<T>): Promise<T> {
  const debt = debts.get(client) ?? { owed: 0, timer: setTimeout(() => cutConnection(client), answerMaxMs) }
  debts.set(client, debt)
  debt.owed++
  try {
    return await answer
  } catch (error) {
    const cause = causeOfRefusedWrite(error)
    if (cause !== null) refusedWriteListeners.get(client)?.({ cause, at: performance.now() })
    throw error
  } finally {
    if (--debt.owed > 0) debt.timer.refresh()
    else {
      clearTimeout(debt.timer)
      debts.delete(client)
    }
  }
}
