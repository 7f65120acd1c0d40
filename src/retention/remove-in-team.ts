import type { App } from '../context.ts'
import { defineJob, type JobDefinition } from '../platform/jobs/job.ts'
import { deleteHeldJobs, returnHeldJob } from '../platform/jobs/leases.ts'
import { refuseLostLease, takePacedTurn } from '../platform/jobs/paced-pass.ts'
import type { RemovalInTeam, Retention } from '../platform/retention/removal.ts'
import { type RemoveInTeamJob, removeInTeamJob } from '../teams/retention/jobs.ts'
import { findRetention, oldBefore } from '../teams/retention/retention.ts'
import { lockRetention } from '../teams/retention/update.ts'

/** The time between two passes of a team. */
const usualIntervalMs = 3_600_000
/** The same for a team whose bodies are removed as soon as they are not needed. */
const shortIntervalMs = 10_000

/** Removes what a team has too much of and its old data, a page in each commit. */
export function removeInTeam(removals: RemovalInTeam[]): JobDefinition {
  return defineJob(removeInTeamJob, {
    concurrency: 1,
    retryDelaysMs: [10_000, 60_000, 600_000],
    async run(app, job) {
      const retention = await findRetention(app.db, app.config, job.teamId)
      const begunWith = job.payload.begunWith ?? JSON.stringify(retention)
      const stages = stagesOf(removals, retention, app.clock.now())
      const reached = stages.findIndex(({ name }) => name === job.payload.stage)
      let at = Math.max(0, reached)
      let after = stages[at]?.name === job.payload.stage ? (job.payload.after ?? '') : ''
      const result =
        at < stages.length &&
        (await takePacedTurn(app, async () => {
          const { remove, before } = stages[at]!
          const next = await app.transaction(async (tx) => {
            await refuseLostLease(tx, job)
            return remove(tx, job.teamId, { before, after })
          })
          after = next ?? ''
          if (next === null) at++
          return at < stages.length ? 'more' : 'done'
        }))
      if (result === 'more') return { runAt: app.clock.now(), payload: { stage: stages[at]!.name, after, begunWith } }
      await endPass(app, job, begunWith)
      return 'recorded'
    },
  })
}

/**
 * Begins anew at once if the retention was changed during the pass. Removes the job if the team keeps everything for
 * ever.
 */
function endPass(app: App, job: RemoveInTeamJob, begunWith: string): Promise<void> {
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

/** A removal that has something to do, and the time before which rows are old. */
type Stage = RemovalInTeam & { before: Date }

/** Returns the parts of a pass, in their order: what is too many comes first, since it grows without a bound. */
function stagesOf(removals: RemovalInTeam[], retention: Retention, now: Date): Stage[] {
  const [tooMany, tooOld] = [removals.filter(({ days }) => days === null), removals.filter(({ days }) => days !== null)]
  return [...tooMany, ...tooOld].flatMap((removal) => {
    const { days } = removal
    // Bodies that are removed at once have no age to reach, and ids may be ahead of the clock.
    const before = days === null ? now : oldBefore(retention[days] === 0 ? -1 : retention[days], now)
    return before ? { ...removal, before } : []
  })
}
