import { sql } from 'kysely'
import type { App, Tx } from '../context.ts'
import { defineJob, type JobDefinition, type TeamJob } from '../platform/jobs/job.ts'
import { refuseLostLease, takePacedTurn } from '../platform/jobs/paced-pass.ts'
import type { Person } from '../platform/privacy/person.ts'
import type { Found, FoundPage, Showing, Trace } from '../platform/privacy/trace.ts'
import { writeRequestLog } from '../platform/request-log/note.ts'
import { personPurpose } from './create.ts'
import { addToExport, deleteExportParts, findBodyRoom } from './export-parts.ts'
import { runPrivacyJob } from './jobs.ts'
import { addCount, allDone, isPlace, placeOf, type Step, stepsOf, sumOfLeft } from './steps.ts'
import type { Counts } from './table.ts'

/** Rounds of an erasure. An email that is on its way is erased in a later one. */
const roundsMax = 40
const roundDelayMs = 30_000

type Request = {
  type: 'export' | 'erase'
  person: string
  round: number
  /** The name of the step that it is at. Null before the first. */
  stepName: string | null
  after: string
  counts: Counts
  createdAt: Date
}

/**
 * Works on a privacy request, a page in each commit. The request's row says where it is and what it has done, in the
 * same commit, so that a process that takes it over goes on from there and counts nothing twice.
 */
export function runPrivacy(traces: Trace[]): JobDefinition {
  return defineJob(runPrivacyJob, {
    concurrency: 1,
    fair: true,
    retryDelaysMs: [10_000, 60_000, 600_000],
    onDiscard: failRequest,
    onRetry: async () => 'The request has failed. Its team makes a new one, which begins where data is left.',
    async run(app, job) {
      const request = await findRequest(app, job)
      if (!request) return undefined
      const result = await takePacedTurn(app, (isOver) => doNextPage(app, job, traces, isOver))
      if (result === 'done') return undefined
      if (result === 'again') return { runAt: new Date(app.clock.now().getTime() + roundDelayMs) }
      // A time in the past keeps its place among the requests of its team, which each read the same rows: the one begun
      // first is ended first.
      return { runAt: request.createdAt }
    },
  })
}

/** Returns `done` when the request has ended, and `again` when it waits for another round. */
async function doNextPage(
  app: App,
  job: TeamJob,
  traces: Trace[],
  isOver: () => boolean,
): Promise<'more' | 'done' | 'again'> {
  const request = await findRequest(app, job)
  if (!request) return 'done'
  const steps = stepsOf(traces, request.type, job.teamId)
  // Requests of the last second may wait to be written.
  if (request.stepName === null) await writeRequestLog(app)
  if (request.type === 'export' && !isPlace(steps, request.stepName)) {
    await beginAnew(app, job)
    return 'more'
  }
  if (placeOf(steps, request.stepName) === steps.length) return endRound(app, job, request, steps)
  await doPage(app, job, request, steps, isOver)
  return 'more'
}

/** Begins an export anew that another version left at a step that this one does not have. */
async function beginAnew(app: App, job: TeamJob): Promise<void> {
  await app.transaction(async (tx) => {
    await refuseLostLease(tx, job)
    await deleteExportParts(tx, job)
    await tx.db
      .updateTable('privacy_requests')
      .set({ ...placeColumns(null, ''), counts: '{}' })
      .where('team_id', '=', job.teamId)
      .where('id', '=', job.key)
      .execute()
  })
}

async function failRequest(_: App, tx: Tx, { teamId, key }: TeamJob): Promise<void> {
  await tx.db
    .updateTable('privacy_requests')
    .set({ status: 'failed', finished_at: tx.now, person: null })
    .where('team_id', '=', teamId)
    .where('id', '=', key)
    .where('status', '=', 'running')
    .execute()
}

/** Finds the running request. Undefined if it has ended or its team was deleted. */
async function findRequest(app: App, { teamId, key }: TeamJob): Promise<Request | undefined> {
  const { rows } = await sql<Request>`
    select type, person, round, trace as "stepName", after, counts, created_at as "createdAt" from privacy_requests
    where team_id = ${teamId} and id = ${key} and status = 'running'
  `.execute(app.db)
  return rows[0]
}

function decryptPerson(app: App, { person }: Request, id: string): Person {
  return JSON.parse(app.keyring.decrypt(personPurpose, person, id)) as Person
}

/** The rows of a page, its place, where the next one begins, and the counts of the pages before it. */
type Finding = FoundPage & { step: Step; after: string; counts: Counts }

/** Works on the next page with rows of the person, in one commit. Pages without any are read on the way. */
async function doPage(app: App, job: TeamJob, request: Request, steps: Step[], isOver: () => boolean): Promise<void> {
  const person = decryptPerson(app, request, job.key)
  const { step, after, found, next, counts } = await findNext(app, request, person, steps, isOver)
  const { trace, teamId, task } = step
  const shown = task === 'show' ? await showRows(app, job, { db: app.db, teamId, person }, trace, found) : []
  await app.transaction(async (tx) => {
    await refuseLostLease(tx, job)
    const work = {
      show: () => addToExport(app, tx, job, trace.name, shown),
      erase: () => (found.length === 0 ? 0 : trace.erase(tx, teamId, found, person)),
      count: () => found.length,
    }
    const count = await work[task]()
    const nextName = steps[steps.indexOf(step) + 1]?.name ?? allDone
    const place = next === null ? placeColumns(nextName, '') : placeColumns(step.name, next)
    await tx.db
      .updateTable('privacy_requests')
      .set({ ...place, counts: JSON.stringify(addCount(counts, step, after, count)) })
      .where('team_id', '=', job.teamId)
      .where('id', '=', job.key)
      .execute()
  })
}

/** The column that holds the name of a step is called `trace`. */
function placeColumns(stepName: string | null, after: string) {
  return { trace: stepName, after }
}

async function findNext(
  app: App,
  request: Request,
  person: Person,
  steps: Step[],
  isOver: () => boolean,
): Promise<Finding> {
  let at = placeOf(steps, request.stepName)
  let after = steps[at]!.name === request.stepName ? request.after : ''
  let { counts } = request
  for (;;) {
    const step = steps[at]!
    const page = await step.trace.find(app.db, step.teamId, person, after)
    const isLast = page.next === null && at === steps.length - 1
    if (page.found.length > 0 || isLast || isOver()) return { ...page, step, after, counts }
    counts = addCount(counts, step, after, 0)
    after = page.next ?? ''
    if (page.next === null) at++
  }
}

/** Shows the person's rows of a page. */
async function showRows(
  app: App,
  job: TeamJob,
  showing: Omit<Showing, 'room'>,
  trace: Trace,
  found: Found[],
): Promise<object[]> {
  if (found.length === 0) return []
  const room = { bytes: await findBodyRoom(app.db, job) }
  const shown: (object | null)[] = []
  for (const each of found) shown.push(await trace.show!({ ...showing, room }, each))
  return shown.filter((row) => row !== null).map(withTimes)
}

/** Writes times as the API does. The database writes them in another form of ISO 8601. */
function withTimes(row: object): object {
  const isTime = (name: string, value: unknown) => /(?:^at|At)$/.test(name) && typeof value === 'string'
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isTime(name, value) ? new Date(value).toISOString() : value]),
  )
}

/** Ends the request, or begins another round if an erasure has left something. */
async function endRound(app: App, job: TeamJob, request: Request, steps: Step[]): Promise<'done' | 'again'> {
  const isDone = sumOfLeft(steps, request.counts) === 0
  const isEnd = isDone || request.round + 1 >= roundsMax
  await app.transaction(async (tx) => {
    await refuseLostLease(tx, job)
    const ended = { status: isDone ? ('done' as const) : ('failed' as const), finished_at: tx.now, person: null }
    await tx.db
      .updateTable('privacy_requests')
      .set(isEnd ? ended : { ...placeColumns(null, ''), round: request.round + 1 })
      .where('team_id', '=', job.teamId)
      .where('id', '=', job.key)
      .execute()
  })
  return isEnd ? 'done' : 'again'
}
