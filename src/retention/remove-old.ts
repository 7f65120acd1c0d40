import { setTimeout as sleep } from 'node:timers/promises'
import type { App, Tx } from '../context.ts'
import { defineJob, LeaseLost } from '../platform/jobs/job.ts'
import { deleteHeldJobs, lockHeldJobs, returnHeldJob } from '../platform/jobs/leases.ts'
import { type RemoveOldJob, removeOldJob } from '../teams/retention/jobs.ts'
import { findRetention, type Retention } from '../teams/retention/retention.ts'
import { lockRetention } from '../teams/retention/update.ts'
import { stageAfter, stageFrom } from './stages.ts'

/** How long a team's pass goes on before other teams have their turn. */
const turnMs = 3000
/** Pages of one turn, where they are quick. */
const pagesMax = 50
/** The longest pause after a page. */
const pauseMaxMs = 1000
/** The time between two passes of a team. */
const usualIntervalMs = 3_600_000
/** The same for a team whose bodies are removed as soon as they are not needed. */
const shortIntervalMs = 10_000

/**
 * Removes a team's old data, a page in each commit. It pauses after each page for as long as the page took, so that it uses at
 * most half of one connection. The lease is checked in each commit: two processes never remove for one team.
 */
export const removeOld = defineJob(removeOldJob, {
  concurrency: 1,
  retryDelaysMs: [10_000, 60_000, 600_000],
  async run(app, job) {
    const retention = await findRetention(app.db, app.config, job.teamId)
    const begunWith = job.payload.begunWith ?? JSON.stringify(retention)
    const end = performance.now() + turnMs
    let stage = stageFrom(job.payload.stage ?? null, retention, app.clock.now())
    let after = stage?.name === job.payload.stage ? (job.payload.after ?? '') : ''
    for (let page = 0; stage !== null; page++) {
      if (page === pagesMax || performance.now() > end || app.isDraining()) {
        return { runAt: app.clock.now(), payload: { stage: stage.name, after, begunWith } }
      }
      const { remove, before, name } = stage
      const begun = performance.now()
      const next = await app.transaction(async (tx) => {
        await refuseLostLease(tx, job)
        return remove(tx, job.teamId, { before, after })
      })
      after = next ?? ''
      if (next === null) stage = stageAfter(name, retention, app.clock.now())
      else await sleep(Math.min(performance.now() - begun, pauseMaxMs))
    }
    await endPass(app, job, begunWith)
    return 'settled'
  },
})

async function refuseLostLease(tx: Tx, job: RemoveOldJob): Promise<void> {
  if (!(await lockHeldJobs(tx, [job])).has(job)) throw new LeaseLost()
}

/** Begins anew at once if the retention was changed during the pass. Removes the job if the team keeps everything for ever. */
function endPass(app: App, job: RemoveOldJob, begunWith: string): Promise<void> {
  return app.transaction(async (tx) => {
    await lockRetention(tx, job.teamId)
    const retention = await findRetention(tx.db, app.config, job.teamId)
    if (begunWith === JSON.stringify(retention) && keepsAll(retention)) return void (await deleteHeldJobs(tx, [job]))
    const waitMs = begunWith === JSON.stringify(retention) ? intervalMs(retention) : 0
    await returnHeldJob(tx, job, new Date(tx.now.getTime() + waitMs), { payload: {}, isFresh: true })
  })
}

export function keepsAll(retention: Retention): boolean {
  return Object.values(retention).every((days) => days === null)
}

function intervalMs({ emailBodiesDays }: Retention): number {
  return emailBodiesDays === 0 ? shortIntervalMs : usualIntervalMs
}
