import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { App, Tx } from '../context.ts'
import { defineJob, LeaseLost, type TeamJob } from '../platform/jobs/job.ts'
import { lockHeldJobs } from '../platform/jobs/leases.ts'
import { testTeamOf } from '../platform/mode.ts'
import type { Person } from '../platform/privacy/person.ts'
import type { Trace } from '../platform/privacy/trace.ts'
import { personPurpose } from './create.ts'
import { addExportPart } from './export-parts.ts'
import { runPrivacyJob } from './jobs.ts'
import type { Counts } from './table.ts'
import { traces } from './traces.ts'

/** How long a request is worked on before others have their turn. */
const turnMs = 3000
/** Rounds of an erasure. An email that is on its way is erased in a later one. */
const roundsMax = 40
const roundDelayMs = 30_000

type Request = {
  type: 'export' | 'erase'
  person: string
  round: number
  trace: string | null
  after: string
  counts: Counts
}
/** A kind of row under one of the team's ids. */
type Step = { name: string; teamId: string; trace: Trace }

/**
 * Works on a privacy request, a page in each commit. The request's row says where it is and what it has done, in the same
 * commit, so that a process that takes it over goes on from there and counts nothing twice.
 */
export const runPrivacy = defineJob(runPrivacyJob, {
  concurrency: 1,
  fair: true,
  retryDelaysMs: [10_000, 60_000, 600_000],
  onDiscard: failRequest,
  onRetry: async () => 'The request has failed. Its team makes a new one, which begins where data is left.',
  async run(app, job) {
    const teamIds = [job.teamId, testTeamOf(job.teamId)]
    const steps = teamIds.flatMap((teamId, at) =>
      traces.map((trace) => ({ name: `${at} ${trace.name}`, teamId, trace })),
    )
    const end = performance.now() + turnMs
    while (performance.now() < end && !app.isDraining()) {
      const begun = performance.now()
      const request = await findRequest(app, job)
      if (!request) return undefined
      const step = request.trace === null ? steps[0]! : steps.find(({ name }) => name === request.trace)
      if (!step) {
        if (await finish(app, job, request, steps)) return undefined
        return { runAt: new Date(app.clock.now().getTime() + roundDelayMs) }
      }
      await doPage(app, job, request, step, steps[steps.indexOf(step) + 1]?.name ?? 'end')
      await sleep(Math.min(1000, performance.now() - begun))
    }
    return { runAt: app.clock.now() }
  },
})

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
    select type, person, round, trace, after, counts from privacy_requests
    where team_id = ${teamId} and id = ${key} and status = 'running'
  `.execute(app.db)
  return rows[0]
}

function personOf(app: App, { person }: Request, id: string): Person {
  return JSON.parse(app.keyring.decrypt(personPurpose, person, id)) as Person
}

async function doPage(app: App, job: TeamJob, request: Request, step: Step, nextStep: string): Promise<void> {
  const person = personOf(app, request, job.key)
  const { trace, teamId } = step
  const { found, next } = await trace.find(app.db, teamId, person, request.after)
  const erase = (tx: Tx) => trace.erase(tx, teamId, found, person)
  const own = found.filter((each) => trace.isPersons?.(each, person) ?? true)
  const isErasure = request.type === 'erase'
  await app.transaction(async (tx) => {
    await refuseLostLease(tx, job)
    const rows = isErasure ? found : own
    const done = rows.length === 0 ? 0 : await (isErasure ? erase(tx) : addExportPart(app, tx, job, trace.name, own))
    const before = request.counts[trace.name] ?? {}
    const field = isErasure ? 'removed' : 'found'
    const counts = { ...request.counts, [trace.name]: { ...before, [field]: (before[field] ?? 0) + done } }
    const place = next === null ? { trace: nextStep, after: '' } : { trace: step.name, after: next }
    await tx.db
      .updateTable('privacy_requests')
      .set({ ...place, counts: JSON.stringify(counts) })
      .where('team_id', '=', job.teamId)
      .where('id', '=', job.key)
      .execute()
  })
}

/** Counts what is left after an erasure. Ends the request, or begins another round if something is left. */
async function finish(app: App, job: TeamJob, request: Request, steps: Step[]): Promise<boolean> {
  const counts: Counts = structuredClone(request.counts)
  let left = 0
  if (request.type === 'erase') {
    for (const { name } of traces) counts[name] = { ...counts[name], left: 0 }
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

async function refuseLostLease(tx: Tx, job: TeamJob): Promise<void> {
  if (!(await lockHeldJobs(tx, [job])).has(job)) throw new LeaseLost()
}
