import { sql } from 'kysely'
import type { App, Tx } from '../../../../context.ts'
import { LeaseLost } from '../../../../platform/jobs/job.ts'
import { endAttempts } from '../../../../platform/jobs/leases.ts'
import { findJobKeys } from '../../../../platform/jobs/waiting-jobs.ts'
import { rowsOf } from '../../../../platform/sql/sql-rows.ts'
import { gatheredFor } from '../../../../platform/transaction/gather.ts'
import { untilDatabaseIsBack } from '../../../../platform/transaction/while-database-is-gone.ts'
import { type Delivery, type DeliveryJob, deliverToDomainJob } from '../../../jobs.ts'
import { cancelUnwanted, type Unwanted } from '../../../of-broadcasts/cancel-unwanted.ts'
import type { EmailFact, FactsOfEmail } from '../../facts/consequences.ts'
import { recordEmailFacts } from '../../facts/record.ts'
import { keysOf } from './split.ts'

export type Recorded = {
  job: DeliveryJob
  facts: EmailFact[]
  /** When the job runs again, and with which payload; null if all recipients have their answer. */
  again: { runAt: Date; payload: Delivery; error: string | null } | null
  /** Set if nothing was sent because the recipient does not want it any more. */
  unwanted?: Unwanted
}

/**
 * Records the result of an attempt and removes the job or gives it back, in a commit shared with others. Throws
 * `LeaseLost` if another process has taken the job over.
 */
export function recordDomainAttempt(app: App, recorded: Recorded): Promise<void> {
  return untilDatabaseIsBack(app, () => recordAttemptGathered(app, recorded))
}

const recordAttemptGathered = gatheredFor(
  (app: App, batch: Recorded[]) => app.transaction((tx) => recordAttempts(tx, batch)),
  { itemsMax: 500, flushesMax: 1 },
)

async function recordAttempts(tx: Tx, batch: Recorded[]): Promise<(undefined | Error)[]> {
  // Most jobs that wait for a connection have nothing to record.
  const telling = batch.filter(({ facts, again }) => facts.length > 0 || again === null)
  if (telling.length > 0) await lockEmails(tx, telling)
  const held = await endAttempts(tx, batch)
  const ours = telling.filter(({ job }) => held.has(job))
  if (ours.length > 0) await recordEmailFacts(tx, await factsByEmail(tx, ours))
  const unwanted = ours.flatMap((recorded) => recorded.unwanted ?? [])
  await cancelUnwanted(tx, unwanted)
  return batch.map(({ job }) => (held.has(job) ? undefined : new LeaseLost()))
}

/**
 * Makes two jobs of one email that end at once wait for each other, so that the later one sees that it is the last. The
 * lock lets inserts of events pass: they refer to emails, and a transaction that adds several may hold them in another
 * order.
 */
async function lockEmails(tx: Tx, batch: Recorded[]): Promise<void> {
  const given = batch.map(({ job }) => ({ teamId: job.teamId, id: job.payload.emailId }))
  await sql`
    select from ${rowsOf(given, { teamId: 'uuid', id: 'uuid' }).as('given')}
    join emails as email on email.team_id = given.team_id and email.id = given.id
    order by email.id for no key update of email
  `.execute(tx.db)
}

/** One entry for each email. An email is settled with the last of its jobs. */
async function factsByEmail(tx: Tx, batch: Recorded[]): Promise<FactsOfEmail[]> {
  const ended = batch.filter(({ again }) => again === null)
  const keys = ended.flatMap(({ job }) => keysOf(job.payload))
  const open = await findJobKeys(tx.db, deliverToDomainJob, keys)
  const byEmail = Map.groupBy(batch, ({ job }) => job.payload.emailId)
  return [...byEmail].map(([emailId, its]) => {
    const { job } = its[0]!
    const settled = !keysOf(job.payload).some((key) => open.has(key)) && its.some(({ again }) => again === null)
    return { teamId: job.teamId, emailId, facts: its.flatMap(({ facts }) => facts), settled, endsWaiting: settled }
  })
}
