import type { Tx } from '../../context.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { finishBroadcast } from '../finish.ts'
import { dispatchBroadcastJob } from '../jobs.ts'
import { type BroadcastRow, lockBroadcastRow } from '../queries.ts'
import { beginSending } from './begin.ts'
import { planPage } from './plan-page.ts'
import { countUnderWay, settleEnded } from './recipients.ts'
import { sendPage } from './send-page.ts'

/** So many emails of a broadcast wait to be handed over: enough to keep every worker busy, and nobody else waiting long. */
export const underWayMax = 2000
/** What a run does before others have their turn. */
const stepsMax = 20
/** How soon it looks again by itself for what was handed over; the hand-overs wake it sooner. */
const lookAgainMs = 2000
/** A limit that was raised in the very moment it was met is noticed by then. */
const limitWaitMaxMs = 10 * 60_000

type Step = 'more' | 'end' | { until: Date; isDaily: boolean }

/** Takes a broadcast through its life in steps, each one commit: a process may die between any two. */
export const dispatchBroadcast = defineJob(dispatchBroadcastJob, {
  concurrency: 4,
  retryDelaysMs: [1000, 5000, 30_000],
  async run(app, { teamId, key }) {
    for (let count = 0; count < stepsMax; count++) {
      const step = await app.transaction((tx) => takeStep(tx, teamId, key))
      if (step === 'end') return undefined
      if (step === 'more') continue
      const runAt = new Date(Math.min(step.until.getTime(), app.clock.now().getTime() + limitWaitMaxMs))
      return { runAt, payload: step.isDaily ? { waitingForLimit: true as const } : {} }
    }
    return { runAt: app.clock.now() }
  },
})

/** The row is locked first: steps of one broadcast follow each other, and a cancellation waits for the one under way. */
async function takeStep(tx: Tx, teamId: string, id: string): Promise<Step> {
  const broadcast = await lockBroadcastRow(tx, teamId, id)
  if (broadcast?.status === 'scheduled') return queueWhenDue(tx, broadcast)
  if (broadcast?.status === 'queued') {
    await beginSending(tx, broadcast)
    return 'more'
  }
  if (broadcast?.status !== 'sending') return 'end'
  if (broadcast.planned_at !== null) return sendOn(tx, broadcast)
  await planPage(tx, broadcast)
  return 'more'
}

async function queueWhenDue(tx: Tx, { team_id, id, scheduled_at }: BroadcastRow): Promise<Step> {
  if (scheduled_at !== null && scheduled_at > tx.now) return { until: scheduled_at, isDaily: false }
  await tx.db
    .updateTable('broadcasts')
    .set({ status: 'queued' })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .execute()
  return 'more'
}

async function sendOn(tx: Tx, broadcast: BroadcastRow): Promise<Step> {
  const { team_id: teamId, id } = broadcast
  const room = underWayMax - (await countUnderWay(tx.db, teamId, id))
  const page = room > 0 ? await sendPage(tx, broadcast, room) : null
  if (page?.wait) return page.wait
  if (page && !page.isLast) return 'more'
  if (page && room === underWayMax) {
    await finishBroadcast(tx, teamId, id)
    return 'end'
  }
  if ((await settleEnded(tx, teamId, id)) > 0) return 'more'
  return { until: new Date(tx.now.getTime() + lookAgainMs), isDaily: false }
}
