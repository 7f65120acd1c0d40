import type { App } from '../../context.ts'
import { defineJob, type JobResult } from '../../platform/jobs/job.ts'
import { type ReportUsageJob, reportUsageJob } from '../jobs.ts'
import { retryDelaysMs } from '../retry-delays.ts'
import { findCustomerId, findLiveSubscription } from '../subscription/queries.ts'
import { findDueReports, type UsageReport } from './queries.ts'
import { type Attempted, recordAttempts } from './record.ts'
import { releaseTeam } from './release.ts'

const [secondMs, minuteMs, hourMs] = [1000, 60_000, 3_600_000]
/** Of the whole team, after nothing of a round was taken: the provider may be away, and is not asked for each message. */
const pausesMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs]

/** Teams side by side, and messages of one team: what the provider sees of us at most. */
const teamsMax = 20
const atOnceMax = 10
/** Then others have their turn. */
const roundsMax = 100

/** Works off one team's overage. Each team has a job of its own, so nobody waits for another's failures. */
export const reportUsage = defineJob(reportUsageJob, {
  concurrency: teamsMax,
  retryDelaysMs,
  async run(app, job) {
    // Kept, for a day on which billing is switched on.
    if (app.payments.name === 'none') return { runAt: later(app, hourMs) }
    const billed = await findBilled(app, job.teamId)
    // A plan that an operator set: kept until there is somebody to bill. Then `resume.ts` hurries it, unless it is held
    // at that moment: so it looks again by itself.
    if (!billed) return { runAt: later(app, minuteMs) }
    return workOff(app, job, billed)
  },
})

/** `since`: when the period of its subscription began; null where none lives. */
type Billed = { customerId: string; since: Date | null }

async function findBilled(app: App, teamId: string): Promise<Billed | null> {
  const payer = { teamId, provider: app.payments.name }
  const customerId = await findCustomerId(app.db, payer)
  if (!customerId) return null
  const state = (await findLiveSubscription(app.db, payer))?.state
  return { customerId, since: state ? new Date((state.period?.start ?? state.startedAt) * 1000) : null }
}

async function workOff(app: App, job: ReportUsageJob, billed: Billed): Promise<JobResult<ReportUsageJob['payload']>> {
  let failures = job.payload.failures ?? 0
  for (let round = 0; round < roundsMax && !app.isDraining(); round++) {
    const due = await findDueReports(app.db, job.teamId, app.clock.now(), atOnceMax)
    if (due.length === 0) return releaseTeam(app, job, { failures })
    const attempted = await Promise.all(due.map((report) => attempt(app, billed, report)))
    await recordAttempts(app, attempted, retryDelaysMs)
    const failed = attempted.filter(({ error }) => error !== null)
    if (failed.length < due.length) failures = 0
    else {
      const delayMs = pausesMs[Math.min(failures, pausesMs.length - 1)]!
      const message = 'SMS overage could not be reported to the payment provider, will be repeated'
      app.log.warn({ err: failed[0]!.error, team: job.teamId, count: failed.length, delayMs }, message)
      return { runAt: later(app, delayMs), payload: { failures: failures + 1 } }
    }
  }
  // While this process ends it would only take the team up again; another one may.
  return { runAt: later(app, app.isDraining() ? secondMs : 0), payload: { failures } }
}

/**
 * A repeat of what was taken counts once: the message's id is the event's. What was sent before the period began is counted
 * at its beginning: the provider bills a subscription for no time before it, and an invoice that is out stays as it is.
 */
async function attempt(app: App, { customerId, since }: Billed, report: UsageReport): Promise<Attempted> {
  const { teamId, messageId, zone, sentAt } = report
  const at = since && since > sentAt ? since : sentAt
  const eventName = `sms_zone${zone}_send` as const
  try {
    await app.payments.reportUsage({ teamId, customerId, messageId, eventName, at })
    return { report, error: null }
  } catch (error) {
    return { report, error: error as Error }
  }
}

function later(app: App, delayMs: number): Date {
  return new Date(app.clock.now().getTime() + delayMs)
}
