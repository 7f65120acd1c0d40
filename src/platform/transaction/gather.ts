import { type Cause, currentCause, runCausedBy } from '../cause/cause.ts'
import { perApp } from '../per-app.ts'
import { isDatabaseGone } from '../sql/gone.ts'
import { refuseInsideTransaction, runOutside } from './inside.ts'

type Bounds<I> = {
  itemsMax: number
  flushesMax: number
  /**
   * Items that weigh more than `weightMax` together go in several flushes. A single item that is heavier goes alone.
   */
  weigh?: (item: I) => number
  weightMax?: number
}

type Waiting<I, O> = { item: I; cause: Cause | null; resolve(result: O): void; reject(error: unknown): void }

/**
 * Turns a function over many items into one over a single item. Items that arrive during a flush go together in the
 * next one. A durable commit costs the same for one row as for hundreds, so under load commits are shared, and without
 * load no item waits. A result that is an `Error` rejects only its item. If a flush of several fails, each item is
 * tried alone, so that a bad item does not affect others. Items are not retried if the database was lost, since the
 * flush may have been committed.
 */
export function gather<I, O>(
  flush: (items: I[]) => Promise<(O | Error)[]>,
  options: Bounds<I>,
): (item: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = []
  let flushing = 0

  function start(): void {
    while (waiting.length > 0 && flushing < options.flushesMax) {
      const batch = waiting.splice(0, countOfNext(waiting, options))
      const { cause } = batch[0]!
      flushing++
      void runOutside(() => runCausedBy(cause, () => settle(flush, batch))).finally(() => {
        flushing--
        start()
      })
    }
  }
  return (item) => {
    refuseInsideTransaction('A gathered call')
    return new Promise((resolve, reject) => {
      waiting.push({ item, cause: currentCause(), resolve, reject })
      // Requests that are read in the same turn of the event loop share a flush.
      if (waiting.length === 1) setImmediate(start)
    })
  }
}

/** A gathered function with a queue for each app. */
export function gatheredFor<A extends object, I, O>(
  flush: (app: A, items: I[]) => Promise<(O | Error)[]>,
  options: Bounds<I>,
): (app: A, item: I) => Promise<O> {
  const queueOf = perApp((app: A) => gather((items: I[]) => flush(app, items), options))
  return (app, item) => queueOf(app)(item)
}

function countOfNext<I>(
  waiting: { item: I; cause: Cause | null }[],
  { itemsMax, weigh = () => 0, weightMax = Number.POSITIVE_INFINITY }: Bounds<I>,
): number {
  let weight = 0
  const [first] = waiting
  const heavy = waiting.slice(0, itemsMax).findIndex(({ item, cause }) => {
    weight += weigh(item)
    // Events that a flush publishes share one cause.
    return weight > weightMax || cause !== first!.cause
  })
  return heavy === -1 ? itemsMax : Math.max(1, heavy)
}

async function settle<I, O>(flush: (items: I[]) => Promise<(O | Error)[]>, batch: Waiting<I, O>[]): Promise<void> {
  try {
    const results = await flush(batch.map((waiting) => waiting.item))
    for (const [index, waiting] of batch.entries()) {
      const result = results[index]
      if (result instanceof Error) waiting.reject(result)
      else waiting.resolve(result as O)
    }
  } catch (error) {
    if (batch.length === 1 || isDatabaseGone(error)) {
      for (const waiting of batch) waiting.reject(error)
      return
    }
    for (const waiting of batch) await settle(flush, [waiting])
  }
}
