import type { Event } from '../../../events.ts'
import { defineSubscription } from '../../../platform/events.ts'
import { enqueueJobs, type NewJob } from '../../../platform/jobs/enqueue.ts'
import { type StartHeardJob, startHeardJob } from '../../jobs.ts'
import { findTriggersHearing, type Trigger } from '../queries.ts'
import type { Heard } from './heard.ts'
import { heardNames, mayFire, sourceOf } from './sources.ts'

/** The events of one team in one job. */
const eventsMax = 100
/** The size of a job's payload, which is written again for each page. A single event may be larger. */
const bytesMax = 256 * 1024

/**
 * Adds jobs for the events that active workflows listen to. In the publisher's transaction this is one select and one
 * insert.
 */
export const hearEvents = defineSubscription({
  types: heardNames,
  async listen(tx, all) {
    const events = all.filter((event) => !isOfSystemMail(event))
    if (events.length === 0) return
    const [teamIds, types] = [new Set(events.map(({ teamId }) => teamId)), new Set(events.map(({ type }) => type))]
    const triggers = await findTriggersHearing(tx, [...teamIds], [...types])
    const byTeam = Map.groupBy(triggers, ({ teamId }) => teamId)
    const jobs = [...byTeam].flatMap(([teamId, its]) =>
      jobsOf(
        teamId,
        its,
        events.filter((event) => event.teamId === teamId).map(({ teamId: _, ...event }) => event),
      ),
    )
    tx.unread(enqueueJobs(tx, startHeardJob, jobs))
  },
})

function isOfSystemMail({ data }: Omit<Event<(typeof heardNames)[number]>, 'teamId'>): boolean {
  return 'system' in data && data.system === true
}

function jobsOf(teamId: string, triggers: Trigger[], events: Heard[]): NewJob<StartHeardJob>[] {
  const isHeard = hearing(triggers)
  const heard = events.filter(isHeard)
  const workflowIds = triggers.map(({ workflowId }) => workflowId)
  return split(heard).map((batch) => ({ teamId, payload: { workflowIds, events: batch, done: 0 } }))
}

/**
 * Caches the result by subject: ten thousand contacts may join a segment while a thousand workflows listen to others.
 */
function hearing(triggers: Trigger[]): (event: Heard) => boolean {
  const known = new Map<string, boolean>()
  const types = [...new Set(triggers.map(({ type }) => type))]
  return (event) => {
    const key = [event.type, ...types.map((type) => sourceOf(type)?.subjectOf?.(event) ?? '')].join(' ')
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
