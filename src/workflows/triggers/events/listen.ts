import type { Event, Subscription } from '../../../platform/events.ts'
import { enqueueJobs, type NewJob } from '../../../platform/jobs/enqueue.ts'
import { findTriggersHearing, type Trigger } from '../queries.ts'
import { type Heard, mayFire } from './heard.ts'

/** Starts executions of what workflows heard: a page each time. */
export const startKind = 'workflows.trigger'

/** So many events of one team are handled together. */
const eventsMax = 100
/** Of a job's payload, which is written anew with each page; a single event may be larger. */
const bytesMax = 256 * 1024

/** Keeps what active workflows listen to for a job: in the publisher's transaction nothing is done but one select. */
export const hearEvents: Subscription = {
  types: [
    ...['email.sent', 'email.delivered', 'email.delivery_delayed', 'email.bounced', 'email.complained'],
    ...['email.opened', 'email.clicked'],
    ...['contact.created', 'contact.updated', 'contact.unsubscribed', 'contact.added_to_segment'],
    'broadcast.completed',
  ],
  async listen(tx, events) {
    const [teamIds, types] = [new Set(events.map(({ teamId }) => teamId)), new Set(events.map(({ type }) => type))]
    const triggers = await findTriggersHearing(tx.db, [...teamIds], [...types])
    const byTeam = Map.groupBy(triggers, ({ teamId }) => teamId)
    const jobs = [...byTeam].flatMap(([teamId, its]) =>
      jobsOf(
        teamId,
        its,
        events.filter((event) => event.teamId === teamId),
      ),
    )
    await enqueueJobs(tx, jobs)
  },
}

function jobsOf(teamId: string, triggers: Trigger[], events: Event[]): NewJob[] {
  const isHeard = hearing(triggers)
  const heard = events.filter(isHeard)
  const workflowIds = triggers.map(({ workflowId }) => workflowId)
  const batches = split(heard.map(({ type, data, cause }): Heard => ({ type, data, ...(cause && { cause }) })))
  return batches.map((batch) => ({ kind: startKind, teamId, payload: { workflowIds, events: batch, done: 0 } }))
}

/** Ten thousand contacts may be put into one segment, where a thousand workflows listen to others: asked once for all of them. */
function hearing(triggers: Trigger[]): (event: Event) => boolean {
  const known = new Map<string, boolean>()
  return (event) => {
    const { type, data } = event
    const key = JSON.stringify([type, data.segmentId, data.broadcastId])
    const isHeard = known.get(key) ?? triggers.some((trigger) => mayFire(trigger, event))
    known.set(key, isHeard)
    return isHeard
  }
}

function split(events: Heard[]): Heard[][] {
  const batches: Heard[][] = []
  let bytes = 0
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event))
    const last = batches.at(-1)
    if (last && last.length < eventsMax && bytes + size <= bytesMax) {
      last.push(event)
      bytes += size
    } else {
      batches.push([event])
      bytes = size
    }
  }
  return batches
}
