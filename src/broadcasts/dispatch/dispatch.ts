import type { App, Tx } from '../../context.ts'
import { insertLetter } from '../../emails/of-broadcasts/accept.ts'
import { defineJob, LeaseLost } from '../../platform/jobs/job.ts'
import { findHeldJobs } from '../../platform/jobs/leases.ts'
import { isDatabaseGone } from '../../platform/sql/gone.ts'
import { addFooters } from '../content/render.ts'
import { type DispatchJob, dispatchBroadcastJob } from '../jobs.ts'
import { type BroadcastRow, lockBroadcastRow, updateBroadcastRow } from '../queries.ts'
import { failBroadcast, resumeFailed, skipRecipient } from './fail.ts'
import { finishBroadcast } from './finish.ts'
import { PageTooLarge, planMaxUsual, planPage } from './plan-page.ts'
import { countUnderWay, settleEnded } from './recipients.ts'
import { sendPage } from './send-page.ts'

/**
 * Emails of a broadcast that wait to be handed over: enough to keep all workers busy without delaying other mail for
 * long.
 */
export const underWayMax = 2000
/** Steps in one run of the job, after which other jobs have their turn. */
const stepsMax = 20
/** The longest wait before the job looks for emails that were handed over. Most hand-overs wake it sooner. */
const lookAgainMs = 2000
/** The wait after a step that failed. */
const againMs = 1000
/** The longest wait for a limit. It covers a limit that was raised just before the job began to wait. */
const limitWaitMaxMs = 10 * 60_000

/** Attempts in a row that fail at the same recipient, before the broadcast goes on without it. */
const attemptsOfOneMax = 4

type Step =
  | { kind: 'more' }
  | { kind: 'end' }
  | { kind: 'wait'; until: Date; isDaily: boolean }
  | { kind: 'smaller page'; planMax: number }

const more: Step = { kind: 'more' }
const end: Step = { kind: 'end' }

/**
 * Takes a broadcast from scheduled to sent in steps. Each step is one commit, so the process may die between any two.
 * After a failure each step takes one recipient, to find the one at fault. It is skipped after several attempts.
 */
export const dispatchBroadcast = defineJob(dispatchBroadcastJob, {
  atRestore: 'discard',
  concurrency: 6,
  fair: true,
  retryDelaysMs: [1000, 5000, 30_000],
  onDiscard: failBroadcast,
  onRetry: resumeFailed,
  async run(app, job) {
    const recipientsMax = job.failures > 0 ? 1 : underWayMax
    for (let count = 0; count < stepsMax; count++) {
      const step = await takeStep(app, job, recipientsMax).catch((error: Error) => error)
      if (step instanceof Error) return afterFailure(app, job, step, count)
      if (step.kind === 'end') return undefined
      if (step.kind === 'more') continue
      // These payloads take the place of the job's: `dispatchBroadcastJob` says how long each field stays.
      // `planMax` stays, so that a process that takes the job over does not try the larger page again.
      if (step.kind === 'smaller page') return { runAt: app.clock.now(), payload: { planMax: step.planMax } }
      const runAt = new Date(Math.min(step.until.getTime(), app.clock.now().getTime() + limitWaitMaxMs))
      return { runAt, payload: step.isDaily ? { waitingForLimit: true as const } : {} }
    }
    return { runAt: app.clock.now(), payload: planMaxOf(job) }
  },
})

function planMaxOf({ payload: { planMax } }: DispatchJob) {
  return planMax === undefined ? {} : { planMax }
}

/** A failure after steps that succeeded does not count as one in a row. */
async function afterFailure(app: App, job: DispatchJob, error: Error, steps: number) {
  if (error instanceof LeaseLost) throw error
  if (steps > 0) {
    app.log.warn({ err: error, broadcast: job.key, steps }, 'a step of a broadcast failed, will be repeated')
    return { runAt: new Date(app.clock.now().getTime() + againMs), payload: planMaxOf(job) }
  }
  if (job.failures < attemptsOfOneMax - 1 || isDatabaseGone(error)) throw error
  return skipRecipient(app, job, error)
}

async function takeStep(app: App, job: DispatchJob, recipientsMax: number): Promise<Step> {
  try {
    return await app.transaction((tx) => stepLocked(tx, job, recipientsMax))
  } catch (error) {
    if (error instanceof PageTooLarge) return { kind: 'smaller page', planMax: error.smaller }
    throw error
  }
}

/**
 * Locks the row first, so that steps of one broadcast do not overlap and a cancellation waits for the step under way.
 */
async function stepLocked(tx: Tx, job: DispatchJob, recipientsMax: number): Promise<Step> {
  const { teamId, key, payload } = job
  const broadcast = await lockBroadcastRow(tx, teamId, key)
  // A cancellation removes the job under the lock of the row, and leaves the status until it has ended.
  if (!(await findHeldJobs(tx.db, [job])).has(job)) throw new LeaseLost()
  if (broadcast?.status === 'scheduled') return queueWhenDue(tx, broadcast)
  if (broadcast?.status === 'queued') {
    await beginSending(tx, broadcast)
    return more
  }
  if (broadcast?.status !== 'sending') return end
  if (broadcast.planned_at !== null) return sendOn(tx, broadcast, recipientsMax)
  await planPage(tx, broadcast, payload.planMax ?? planMaxUsual)
  return more
}

async function queueWhenDue(tx: Tx, { team_id, id, scheduled_at }: BroadcastRow): Promise<Step> {
  if (scheduled_at !== null && scheduled_at > tx.now) return { kind: 'wait', until: scheduled_at, isDaily: false }
  await updateBroadcastRow(tx, team_id, id, { status: 'queued' })
  return more
}

async function sendOn(tx: Tx, broadcast: BroadcastRow, recipientsMax: number): Promise<Step> {
  const { team_id: teamId, id } = broadcast
  const underWay = await countUnderWay(tx.db, teamId, id)
  const room = underWayMax - underWay
  const page = room > 0 ? await sendPage(tx, broadcast, Math.min(room, recipientsMax)) : null
  if (page?.wait) return { kind: 'wait', ...page.wait }
  if (page && !page.isLast) return more
  if (page && underWay === 0) {
    await finishBroadcast(tx, teamId, id, 'sent')
    return end
  }
  if ((await settleEnded(tx, teamId, id)) > 0) return more
  return { kind: 'wait', until: new Date(tx.now.getTime() + lookAgainMs), isDaily: false }
}

/** Marks the broadcast as sending; its content can no longer change. The caller holds the lock of its row. */
async function beginSending(tx: Tx, broadcast: BroadcastRow): Promise<void> {
  const { team_id: teamId, id } = broadcast
  await insertLetter(tx, { teamId, id, ...addFooters(broadcast) })
  await updateBroadcastRow(tx, teamId, id, { status: 'sending' })
}
