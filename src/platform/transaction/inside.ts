import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { runAsSystem } from '../audit/actor.ts'
import { runCausedBy } from '../cause/cause.ts'

/**
 * Tracks which code runs inside a transaction. Requesting a second connection there can deadlock the pool under load,
 * and a network call there keeps rows locked for as long as the peer takes. Both are bugs and throw.
 */
const inside = new AsyncLocalStorage<'transaction' | 'outside'>()

export function runInsideTransaction<T>(work: () => Promise<T>): Promise<T> {
  return inside.run('transaction', work)
}

/** Runs work that does not belong to the code that starts it: a shared flush, a background loop. */
export function runOutside<T>(work: () => T): T {
  return inside.run('outside', () => runCausedBy(null, () => runAsSystem(work)))
}

export function refuseInsideTransaction(what: string): void {
  assert(
    inside.getStore() !== 'transaction',
    `${what} inside a transaction: use the transaction itself, or do it after`,
  )
}
