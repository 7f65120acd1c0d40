import { sql } from 'kysely'
import type { App, Tx } from '../context.ts'
import { defineJob, type JobDefinition, type TeamJob } from '../platform/jobs/job.ts'
import { refuseLostLease, takePacedTurn } from '../platform/jobs/paced-pass.ts'
import { testTeamOf } from '../platform/mode/mode.ts'
import type { Person } from '../platform/privacy/person.ts'
import type { Found, FoundPage, Showing, Trace } from '../platform/privacy/trace.ts'
import { writeRequestLog } from '../platform/request-log/note.ts'
import { personPurpose } from './create.ts'
import { addExportPart, findBodyRoom } from './export-parts.ts'
import { runPrivacyJob } from './jobs.ts'
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
/** A kind of row under one of the team's ids. */
type Step = { name: string; teamId: string; trace: Trace }

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
      // Its place among the requests of its team, which each read the same rows: the one begun first is ended first.
      let createdAt = app.clock.now()
      let isAgain = false
      const goesOn = await takePacedTurn(app, async (isOver) => {
        const request = await findRequest(app, job)
        if (!request) return false
        createdAt = request.createdAt
        const steps = stepsOf(traces, request, job.teamId)
        // Requests of the last second may wait to be written.
        if (request.stepName === null) await writeRequestLog(app)
        if (request.stepName !== null && !steps.some(({ name }) => name === request.stepName)) {
          isAgain = !(await finish(app, job, request, steps))
          return false
        }
        await doPage(app, job, request, steps, isOver)
        return true
      })
      if (goesOn) return { runAt: createdAt }
      return isAgain ? { runAt: new Date(app.clock.now().getTime() + roundDelayMs) } : undefined
    },
  })
}

/** Lists what is read in live and in test mode. An export leaves out what it does not show. */
function stepsOf(traces: Trace[], { type }: Request, teamId: string): Step[] {
  const read = type === 'erase' ? traces : traces.filter(({ show }) => show)
  return [teamId, testTeamOf(teamId)].flatMap((id, at) =>
    read.map((trace) => ({ name: `${at} ${trace.name}`, teamId: id, trace })),
  )
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

function personOf(app: App, { person }: Request, id: string): Person {
  return JSON.parse(app.keyring.decrypt(personPurpose, person, id)) as Person
}

/** The finding of a turn: the rows of a page, where the next one begins, and the counts of the pages before it. */
type Finding = FoundPage & { step: Step; counts: Counts }

/** Works on the next page with rows of the person, in one commit. Pages without any are read on the way. */
async function doPage(app: App, job: TeamJob, request: Request, steps: Step[], isOver: () => boolean): Promise<void> {
  const person = personOf(app, request, job.key)
  const { step, found, next, counts } = await findNext(app, request, person, steps, isOver)
  const { trace, teamId } = step
  const isErasure = request.type === 'erase'
  const shown = isErasure ? [] : await showRows(app, job, { db: app.db, teamId, person }, trace, found)
  await app.transaction(async (tx) => {
    await refuseLostLease(tx, job)
    const erase = async () => (found.length === 0 ? 0 : trace.erase(tx, teamId, found, person))
    const done = isErasure ? await erase() : await addExportPart(app, tx, job, trace.name, shown)
    const nextStep = steps[steps.indexOf(step) + 1]?.name ?? 'end'
    const place = next === null ? { trace: nextStep, after: '' } : { trace: step.name, after: next }
    await tx.db
      .updateTable('privacy_requests')
      .set({ ...place, counts: JSON.stringify(counted(counts, request, trace.name, done)) })
      .where('team_id', '=', job.teamId)
      .where('id', '=', job.key)
      .execute()
  })
}

async function findNext(
  app: App,
  request: Request,
  person: Person,
  steps: Step[],
  isOver: () => boolean,
): Promise<Finding> {
  let at = Math.max(
    0,
    steps.findIndex(({ name }) => name === request.stepName),
  )
  let { after, counts } = request
  for (;;) {
    const step = steps[at]!
    const page = await step.trace.find(app.db, step.teamId, person, after)
    const isLast = page.next === null && at === steps.length - 1
    if (page.found.length > 0 || isLast || isOver()) return { ...page, step, counts }
    counts = counted(counts, request, step.trace.name, 0)
    after = page.next ?? ''
    if (page.next === null) at++
  }
}

function counted(counts: Counts, { type }: Request, name: string, count: number): Counts {
  const before = counts[name] ?? {}
  const field = type === 'erase' ? 'removed' : 'found'
  return { ...counts, [name]: { ...before, [field]: (before[field] ?? 0) + count } }
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

/** Counts what is left after an erasure. Ends the request, or begins another round if something is left. */
async function finish(app: App, job: TeamJob, request: Request, steps: Step[]): Promise<boolean> {
  const counts: Counts = structuredClone(request.counts)
  let left = 0
  if (request.type === 'erase') {
    for (const { trace } of steps) counts[trace.name] = { ...counts[trace.name], left: 0 }
    for (const step of steps) {
      const count = await countLeft(app, step, personOf(app, request, job.key))
      counts[step.trace.name]!.left! += count
      left += count
    }
  }
  const isOver = left === 0 || request.round + 1 >= roundsMax
  await app.transaction(async (tx) => {
    await refuseLostLease(tx, job)
    const ended = { status: left === 0 ? ('done' as const) : ('failed' as const), finished_at: tx.now, person: null }
    await tx.db
      .updateTable('privacy_requests')
      .set({
        counts: JSON.stringify(counts),
        ...(isOver ? ended : { trace: null, after: '', round: request.round + 1 }),
      })
      .where('team_id', '=', job.teamId)
      .where('id', '=', job.key)
      .execute()
  })
  return isOver
}

async function countLeft(app: App, { trace, teamId }: Step, person: Person): Promise<number> {
  let count = 0
  for (let after = ''; ; ) {
    const { found, next } = await trace.find(app.db, teamId, person, after)
    count += found.length
    if (next === null) return count
    after = next
  }
}
