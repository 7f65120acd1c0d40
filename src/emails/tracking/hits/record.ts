import { setTimeout as sleep } from 'node:timers/promises'
import type { App, Tx } from '../../../context.ts'
import { perApp } from '../../../platform/per-app.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { whileDatabaseIsGone } from '../../../platform/transaction/while-database-is-gone.ts'
import { recordEmailFacts } from '../../messages/facts/record.ts'
import { manyLinksMs } from './bots.ts'
import type { Hit } from './hit.ts'
import { judgeHits } from './judge-hits.ts'
import { findTrackedEmails, lockHits } from './queries.ts'

/**
 * The number of hits that wait in memory, each of a few kilobytes at most. Further hits are served but not recorded.
 */
const pendingMax = 5000
/** How long hits wait for a database that cannot be reached. */
const keepTryingMs = 30_000
/** How long the end of a process waits for the hits. */
const finishMs = 2000

const pendingOf = perApp(() => new Set<Promise<void>>())

/** Records an opening or a click in the background. The reader is served without waiting, even if recording fails. */
export function recordHit(app: App, hit: Hit): void {
  const pending = pendingOf(app)
  if (pending.size >= pendingMax) return
  // If the answer to a commit was lost, the repeat is recognised by the hit's id.
  const work: Promise<void> = whileDatabaseIsGone(() => recordGathered(app, hit), keepTryingMs)
    .catch((error) => app.log.warn({ err: error }, `an email that was ${hit.type}: not recorded`))
    .finally(() => pending.delete(work))
  pending.add(work)
}

/** Waits for the hits that are being recorded, at most `finishMs`. */
export async function finishRecording(app: App): Promise<void> {
  await Promise.race([Promise.all(pendingOf(app)), sleep(finishMs, undefined, { ref: false })])
}

const recordGathered = gatheredFor((app: App, hits: Hit[]) => app.transaction((tx) => recordAll(tx, hits)), {
  itemsMax: 200,
  flushesMax: 1,
})

async function recordAll(tx: Tx, hits: Hit[]): Promise<undefined[]> {
  const first = new Date(Math.min(...hits.map(({ at }) => at.getTime())))
  await lockHits(tx, hits)
  const emails = await findTrackedEmails(tx.db, hits, new Date(first.getTime() - manyLinksMs), first)
  const recorded = judgeHits(hits, emails)
  if (recorded.length > 0) await recordEmailFacts(tx, recorded)
  return hits.map(() => undefined)
}
