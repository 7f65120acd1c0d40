import type { App, Tx } from '../../../context.ts'
import { type RequestKey, type StoredResponse, storeResponses } from '../../../platform/idempotency/keys.ts'
import { enqueueJobs } from '../../../platform/jobs/enqueue.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { deleteHeldJobs, type Lease, type Return, returnHeldJobs } from '../../../platform/jobs/leases.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { untilDatabaseIsBack } from '../../../platform/transaction/while-database-is-gone.ts'
import { deliverToDomainJob, type EmailJob } from '../../jobs.ts'
import { recordEmailFacts } from '../facts/record.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Ending } from './ending.ts'

type Handed = {
  job: EmailJob
  email: Pick<Outbound, 'teamId' | 'id' | 'system'> & { tags?: Record<string, unknown> | null }
  ending: Ending
  /** The answer of the request that sent it, stored with the same commit. */
  answer: { key: RequestKey; response: StoredResponse } | null
}

/**
 * Records what a hand-over led to and removes the job or gives it back, in a commit shared with others that end
 * meanwhile. Throws `LeaseLost` if another process has taken the email over, or an earlier attempt was committed
 * although its answer was lost.
 */
export function recordHanded(app: App, handed: Handed): Promise<void> {
  return untilDatabaseIsBack(app, () => recordGathered(app, handed))
}

const recordGathered = gatheredFor((app: App, batch: Handed[]) => app.transaction((tx) => recordAll(tx, batch)), {
  itemsMax: 200,
  flushesMax: 1,
})

async function recordAll(tx: Tx, batch: Handed[]): Promise<(undefined | Error)[]> {
  const held = await endJobs(
    tx,
    batch.map(({ job, ending }) => ({ job, again: ending.again })),
  )
  const ours = batch.filter(({ job }) => held.has(job))
  await recordEmailFacts(
    tx,
    ours.map(({ email, ending: { facts, isSettled } }) => {
      const { teamId, id: emailId, tags, system } = email
      return { teamId, emailId, ...(tags !== undefined && { told: { tags, system } }), facts, settled: isSettled }
    }),
  )
  const deliveries = ours.flatMap(({ ending }) => ending.deliveries)
  tx.unread(enqueueJobs(tx, deliverToDomainJob, deliveries))
  const answers = ours.flatMap(({ answer }) => answer ?? [])
  tx.unread(storeResponses(tx, answers))
  if (ours.some(({ ending }) => ending.again)) tx.afterCommit(() => tx.jobs.wake())
  return batch.map(({ job }) => (held.has(job) ? undefined : new LeaseLost()))
}

/** A job whose attempt has ended; `again` says when it runs again, and is null if it does not. */
type EndedJob<J extends Lease> = { job: J; again: Omit<Return<J>, 'lease'> | null }

/** Removes jobs or gives them back. Returns those whose lease was held. */
export async function endJobs<J extends Lease>(tx: Tx, batch: EndedJob<J>[]): Promise<Set<J>> {
  const ended = batch.flatMap(({ job, again }) => (again === null ? job : []))
  const returned = batch.flatMap(({ job, again }) => (again === null ? [] : { lease: job, ...again }))
  const removed = ended.length > 0 ? await deleteHeldJobs(tx, ended) : new Set<J>()
  return returned.length > 0 ? removed.union(await returnHeldJobs(tx, returned)) : removed
}
