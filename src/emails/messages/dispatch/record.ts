import type { App, Tx } from '../../../context.ts'
import { type RequestKey, type StoredResponse, storeResponses } from '../../../platform/idempotency/keys.ts'
import { enqueueJobs } from '../../../platform/jobs/enqueue.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { endAttempts } from '../../../platform/jobs/leases.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { untilDatabaseIsBack } from '../../../platform/transaction/while-database-is-gone.ts'
import { allEnded } from '../../../platform/waiting/all-ended.ts'
import { deliverToDomainJob, type EmailJob } from '../../jobs.ts'
import type { Outbound } from '../email.ts'
import type { FactsOfEmail } from '../facts/consequences.ts'
import { recordEmailFacts } from '../facts/record.ts'
import type { Ending } from './ending.ts'

type HandOverRecord = {
  job: EmailJob
  email: Pick<Outbound, 'teamId' | 'id' | 'system'> & { tags: Record<string, unknown> | null }
  ending: Ending
  /** The commit also stores this response of the request that sent the email. */
  response: { key: RequestKey; response: StoredResponse } | null
}

/**
 * Records what a hand-over led to and removes the job or gives it back, in a commit shared with others that end
 * meanwhile. Throws `LeaseLost` if another process has taken the email over, or an earlier attempt was committed
 * although its answer was lost.
 */
export function recordHanded(app: App, handed: HandOverRecord): Promise<void> {
  return untilDatabaseIsBack(app, () => recordGathered(app, handed))
}

const recordGathered = gatheredFor(
  (app: App, batch: HandOverRecord[]) => app.transaction((tx) => recordAll(tx, batch)),
  {
    itemsMax: 200,
    flushesMax: 1,
  },
)

/**
 * Records the hand-overs before it knows whether the leases are held, as nearly always they are: then both questions
 * need one round trip. If a lease is lost it throws, so that all is rolled back and `gather` tries each hand-over
 * alone. `docs/inside.md`, "Accepting and recording an email", counts the waits.
 */
async function recordAll(tx: Tx, batch: HandOverRecord[]): Promise<undefined[]> {
  const attempts = batch.map(({ job, ending }) => ({ job, again: ending.again }))
  const leases = endAttempts(tx, attempts).then((held) => {
    if (held.size < batch.length) throw new LeaseLost()
  })
  // A lost lease may be the cause of a failed record, and callers expect `LeaseLost`, so it comes first.
  await allEnded([leases, recordEmailFacts(tx, batch.map(factsOf))])
  const deliveries = batch.flatMap(({ ending }) => ending.deliveries)
  tx.withCommit(enqueueJobs(tx, deliverToDomainJob, deliveries))
  const responses = batch.flatMap(({ response }) => response ?? [])
  tx.withCommit(storeResponses(tx, responses))
  if (batch.some(({ ending }) => ending.again)) tx.afterCommit(() => tx.jobs.wake())
  return batch.map(() => undefined)
}

function factsOf({ email, ending: { facts, isSettled } }: HandOverRecord): FactsOfEmail {
  const { teamId, id: emailId, tags, system } = email
  return { teamId, emailId, fields: { tags, system }, facts, settled: isSettled }
}
