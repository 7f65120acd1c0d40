import { setTimeout as sleep } from 'node:timers/promises'
import type { App, Tx } from '../../context.ts'
import { LeaseLost } from './job.ts'
import { type Lease, lockHeldJobs } from './leases.ts'

/** How long a pass goes on before others have their turn. */
const turnMs = 3000
/** Pages of one turn, where they are quick. */
const pagesMax = 50
/** How long a page reads at most before it leaves the database to others for as long. */
const pageMs = 1000

/**
 * Does a page of a pass in one commit. `isOver` tells whether it has taken long enough. Returns how the pass ended if
 * no page follows.
 */
type DoPage<End> = (isOver: () => boolean) => Promise<'more' | End>

/**
 * Does the pages of a long pass for one turn. It pauses after each page for as long as the page took, so that a pass
 * uses at most half of one connection. Returns what the last page returned, so `more` if it goes on in another turn.
 */
export async function takePacedTurn<End extends string>(app: App, doPage: DoPage<End>): Promise<'more' | End> {
  const end = performance.now() + turnMs
  for (let page = 0; page < pagesMax; page++) {
    const begun = performance.now()
    const isTurnOver = () => performance.now() >= end || app.isDraining()
    if (isTurnOver()) return 'more'
    const result = await doPage(() => isTurnOver() || performance.now() >= begun + pageMs)
    if (result !== 'more') return result
    await sleep(Math.min(performance.now() - begun, pageMs))
  }
  return 'more'
}

/** Makes sure in each commit that no other process works on the job. */
export async function refuseLostLease<L extends Lease>(tx: Tx, job: L): Promise<void> {
  if (!(await lockHeldJobs(tx, [job])).has(job)) throw new LeaseLost()
}
