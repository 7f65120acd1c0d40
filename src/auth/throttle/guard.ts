import type { Db, Tx } from '../../context.ts'
import { type DomainError, rateLimited } from '../../platform/errors.ts'
import { insertFailures, listFailures, lockSubjects } from './queries.ts'
import { type Subject, waitSeconds } from './rules.ts'

/** Throws `limitExceeded` if a subject has too many failures. Called before costly work. */
export async function refuseThrottled(db: Db, subjects: Subject[], now: Date): Promise<void> {
  const refusal = await throttled(db, subjects, now)
  if (refusal) throw refusal
}

/**
 * Checks one attempt under a lock for its account and address, across all processes. Concurrent guesses past the limit
 * are refused, including a right one. `judge` returns a refusal for a bad attempt, which is then counted. Refusals are
 * returned, not thrown, so that the count is committed.
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

/**
 * Counts a request under a lock. Null if it is allowed, else the seconds until the next one is; a refused one is not
 * counted.
 */
export async function countAttempt(tx: Tx, subjects: Subject[]): Promise<number | null> {
  await lockSubjects(tx, subjects)
  const seconds = waitSeconds(subjects, await listFailures(tx.db, subjects, tx.now), tx.now)
  if (seconds === null) await insertFailures(tx, subjects)
  return seconds
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
