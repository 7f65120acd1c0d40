import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Which code runs inside a transaction. A second connection asked for there can deadlock the pool under load, and a
 * network call there holds rows locked for as long as a stranger pleases; both are bugs, and so they throw.
 */
const inside = new AsyncLocalStorage<'transaction' | 'outside'>()

export function runInsideTransaction<T>(work: () => Promise<T>): Promise<T> {
  return inside.run('transaction', work)
}

/** For work that is started by, but does not belong to, whoever is running: a shared flush, a background loop. */
export function runOutside<T>(work: () => T): T {
  return inside.run('outside', work)
}

export function refuseInsideTransaction(what: string): void {
  assert(
    inside.getStore() !== 'transaction',
    `${what} inside a transaction: use the transaction itself, or do it after`,
  )
}
