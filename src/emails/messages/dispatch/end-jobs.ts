import type { Tx } from '../../../context.ts'
import { deleteHeldJobs, type Lease, type Return, returnHeldJobs } from '../../../platform/jobs/leases.ts'

/** A job whose attempt has ended; `again` says when it runs again, and is null if it does not. */
type EndedJob<J extends Lease> = { job: J; again: Omit<Return<J>, 'lease'> | null }

/** Removes jobs or gives them back. Returns those whose lease was held. */
export async function endJobs<J extends Lease>(tx: Tx, batch: EndedJob<J>[]): Promise<Set<J>> {
  const ended = batch.flatMap(({ job, again }) => (again === null ? job : []))
  const returned = batch.flatMap(({ job, again }) => (again === null ? [] : { lease: job, ...again }))
  const removed = ended.length > 0 ? await deleteHeldJobs(tx, ended) : new Set<J>()
  return returned.length > 0 ? removed.union(await returnHeldJobs(tx, returned)) : removed
}
