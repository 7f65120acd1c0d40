import type { Db, Tx } from '../../context.ts'
import { type DomainError, rateLimited } from '../../platform/errors.ts'
import { insertFailures, listFailures, lockSubjects } from './queries.ts'
import { type Subject, waitSeconds } from './rules.ts'

/** Before any costly work; throws `limitExceeded`. */
export async function refuseThrottled(db: Db, subjects: Subject[], now: Date): Promise<void> {
  const refusal = await throttled(db, subjects, now)
  if (refusal) throw refusal
}

/**
 * Judges one try, in turn with all others of the same account and address, whatever the process: of any number of
 * guesses under way at once, those past the limit learn nothing, not even the one that was right. `judge` gives a
 * refusal for a bad try, which is then counted; refusals are given back rather than thrown, so that the count is kept.
 */
export async function judgeAttempt<T>(
  tx: Tx,
  subjects: Subject[],
  judge: () => Promise<T | BadAttempt>,
): Promise<T | DomainError> {
  await lockSubjects(tx, subjects)
  const refusal = await throttled(tx.db, subjects, tx.now)
  if (refusal) return refusal
  const judgement = await judge()
  if (!(judgement instanceof BadAttempt)) return judgement
  await insertFailures(tx, subjects)
  return judgement.refusal
}

/** A wrong password or code. */
export class BadAttempt {
  readonly refusal: DomainError
  constructor(refusal: DomainError) {
    this.refusal = refusal
  }
}

async function throttled(db: Db, subjects: Subject[], now: Date): Promise<DomainError | null> {
  const seconds = waitSeconds(subjects, await listFailures(db, subjects, now), now)
  if (seconds === null) return null
  return rateLimited(`Too many wrong passwords or codes. Try again in ${seconds} s.`, seconds)
}
