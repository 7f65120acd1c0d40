import type { App, Tx } from '../../../context.ts'
import type { DomainError } from '../../../platform/errors.ts'
import {
  deleteRequestKeys,
  type RequestKey,
  type StoredResponse,
  storeResponses,
} from '../../../platform/idempotency/keys.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { untilDatabaseIsBack } from '../../../platform/transaction/while-database-is-gone.ts'
import { listPresent } from '../../queries.ts'
import { withdrawEmails } from '../accept/withdraw.ts'
import type { AcceptedEmail } from '../email.ts'

/** `response` is stored for repeats with the key. Null frees the key, since nothing was sent. */
type Refusal = { error: DomainError; key: RequestKey | null; response: StoredResponse | null }

export type Refusable = {
  accepted: AcceptedEmail
  /** The emails that come after it in the request, and are withdrawn with it. */
  later: AcceptedEmail[]
  /**
   * Makes the refusal of the request. `kept` are those of `later` that stay, because a process has begun to send them.
   */
  makeRefusal(message: string, kept: AcceptedEmail[]): Refusal
}

/**
 * Withdraws an email whose provider is out of reach, and those after it, once the database is there. Returns the
 * refusal of the request, which is stored in the same commit. If another process has taken the email over, returns null
 * and withdraws nothing.
 */
export async function withdrawAndRefuse(app: App, refusable: Refusable, message: string): Promise<DomainError | null> {
  const { accepted, later, makeRefusal } = refusable
  // The request may be answered before this ends, and then releases its jobs. These holds keep the leases until then.
  const releases = later.flatMap(({ job }) => (job ? [app.jobs.hold(job)] : []))
  try {
    const kept = await withdrawOrFindKept(app, refusable, message)
    return kept.includes(accepted) ? null : makeRefusal(message, kept).error
  } finally {
    for (const release of releases) release()
  }
}

/** Returns the emails that stay. */
async function withdrawOrFindKept(app: App, refusable: Refusable, message: string): Promise<AcceptedEmail[]> {
  const { accepted, later } = refusable
  try {
    return await untilDatabaseIsBack(app, () => app.transaction((tx) => withdrawAndStoreAnswer(tx, refusable, message)))
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
  }
  // The lease is also gone if a commit of this process succeeded and its answer was lost. The rows are then removed.
  const emails = [accepted, ...later]
  const ids = emails.map(({ id }) => id)
  const present = await untilDatabaseIsBack(app, () => listPresent(app.db, accepted.teamId, ids))
  return emails.filter(({ id }) => present.has(id))
}

async function withdrawAndStoreAnswer(tx: Tx, { accepted, later, makeRefusal }: Refusable, message: string) {
  const kept = await withdrawEmails(tx, accepted, later)
  const { key, response } = makeRefusal(message, kept)
  if (key && response) await storeResponses(tx, [{ key, response }])
  else await deleteRequestKeys(tx, [key])
  return kept
}
