import type { Event } from '../../../events.ts'
import { defineSubscription } from '../../../platform/events.ts'
import { enqueueJobs, type NewJob } from '../../../platform/jobs/enqueue.ts'
import { inParts } from '../../../platform/sql/in-parts.ts'
import { type StartForEventsJob, startForEventsJob } from '../../jobs.ts'
import { findListeningTriggers, type Trigger } from '../queries.ts'
import type { WorkflowEvent } from './event.ts'
import { firingNames, firingRuleOf, mayFire } from './fire.ts'

/** The events of one team in one job. */
const eventsMax = 100
/** The size of a job's payload, which is written again for each page. A single event may be larger. */
const bytesMax = 256 * 1024

/**
 * Adds jobs for the events that active workflows listen to. In the publisher's transaction this is one select and one
 * insert.
 */
export const listenToEvents = defineSubscription({
  types: firingNames,
  async listen(tx, all) {
    const events = all.filter((event) => !isOfSystemMail(event))
    if (events.length === 0) return
    const [teamIds, types] = [new Set(events.map(({ teamId }) => teamId)), new Set(events.map(({ type }) => type))]
    const triggers = await findListeningTriggers(tx, [...teamIds], [...types])
    const byTeam = Map.groupBy(triggers, ({ teamId }) => teamId)
    const jobs = [...byTeam].flatMap(([teamId, its]) => jobsOf(teamId, its, events))
    tx.withCommit(enqueueJobs(tx, startForEventsJob, jobs))
  },
})

function isOfSystemMail({ data }: Omit<Event<(typeof firingNames)[number]>, 'teamId'>): boolean {
  return 'system' in data && data.system === true
}

function jobsOf(teamId: string, triggers: Trigger[], all: Event[]): NewJob<StartForEventsJob>[] {
  const events = all.filter((event) => event.teamId === teamId).map(({ teamId: _, ...event }) => event)
  const firing = events.filter(mayFireOneOf(triggers))
  const workflowIds = triggers.map(({ workflowId }) => workflowId)
  const batches = inParts(firing, (event) => Buffer.byteLength(JSON.stringify(event)), {
    sizeMax: bytesMax,
    rowsMax: eventsMax,
  })
  return batches.map((batch) => ({ teamId, payload: { workflowIds, events: batch, done: 0 } }))
}

/**
 * Caches the result by subject: ten thousand contacts may join a segment while a thousand workflows listen to others.
 */
function mayFireOneOf(triggers: Trigger[]): (event: WorkflowEvent) => boolean {
  const known = new Map<string, boolean>()
  const types = [...new Set(triggers.map(({ type }) => type))]
  return (event) => {
    const key = [event.type, ...types.map((type) => firingRuleOf(type)?.subjectOf?.(event) ?? '')].join(' ')
    const may = known.get(key) ?? triggers.some((trigger) => mayFire(trigger, event))
    known.set(key, may)
    return may
  }
}
