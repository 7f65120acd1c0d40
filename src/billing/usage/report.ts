import type { App } from '../../context.ts'
import { defineSubscription } from '../../platform/events.ts'
import { defineJob, type JobResult } from '../../platform/jobs/job.ts'
import { hurryJobsByKey } from '../../platform/jobs/waiting-jobs.ts'
import { type ReportUsageJob, reportUsageJob } from '../jobs.ts'
import { retryDelaysMs } from '../retry-delays.ts'
import { findCustomerId, findLiveSubscription } from '../subscription/queries.ts'
import { findDueReports, type UsageReport } from './queries.ts'
import { type Attempted, recordAttempts } from './record.ts'
import { releaseTeam } from './release.ts'

const [secondMs, minuteMs, hourMs] = [1000, 60_000, 3_600_000]
/**
 * The delay for the whole team after a round without success, since the provider may be unreachable. It is not called
 * for each message.
 */
const pausesMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs]

/**
 * The most teams at the same time, and the most messages of one team at the same time. Limits requests to the provider.
 */
const teamsMax = 20
const atOnceMax = 10
/** The most rounds of a team before other teams have their turn. */
const roundsMax = 100

/** Reports one team's overage. Each team has a job of its own, so that one team's failures do not delay another. */
export const reportUsage = defineJob(reportUsageJob, {
  concurrency: teamsMax,
  retryDelaysMs,
  // Money that is due stays due.
  attemptsMax: Number.POSITIVE_INFINITY,
  async run(app, job) {
    // Keeps the reports, because billing may be switched on again.
    if (app.payments.name === 'none') return { runAt: later(app, hourMs) }
    const billed = await findBilled(app, job.teamId)
    // On a plan that an operator set, reports wait until the team is a customer. `resumeUsageReports` runs the job
    // early, unless it is running at that moment; so the job also repeats every minute.
    if (!billed) return { runAt: later(app, minuteMs) }
    return workOff(app, job, billed)
  },
})

/** Reports overage at once when the team becomes a customer of the payment provider. */
export const resumeUsageReports = defineSubscription({
  types: ['billing.customer_known'],
  async listen(tx, events) {
    const keys = events.map(({ teamId }) => teamId)
    await hurryJobsByKey(tx, reportUsageJob, keys)
  },
})

/** `since` is the beginning of the subscription's period; null without a subscription. */
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
  // A process that is stopping waits a second, so that another process claims the team.
  return { runAt: later(app, app.isDraining() ? secondMs : 0), payload: { failures } }
}

/**
 * Reports one message. A repeat counts once, since the message's id is the event's identifier. A message that was sent
 * before the period is counted at the period's beginning: the provider does not bill a subscription for an earlier
 * time, and does not change an invoice that it has issued.
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
