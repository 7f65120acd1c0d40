import type { App } from '../../context.ts'
import { conflict, DomainError, unavailable } from '../errors.ts'
import { type Claim, claimOf, findRequestKey, type RequestKey, type StoredResponse, storeResponses } from './keys.ts'

type Ways<T> = {
  /**
   * Reads the answer of the first request from the rows that it wrote, whose process may have died. Null while the
   * outcome is open: it is called again and again while the first request runs. `ids` and `more` are those of the first
   * request's claim.
   */
  recover(ids: string[], more: unknown): Promise<T | null>
  /** Handles the request as the first one with its key. Null if another request claimed the key before. */
  make(): Promise<T | null>
}

/**
 * Answers a request once: a repeat with the same key and body gets the first request's answer or stored refusal, and
 * waits for it if necessary. Without a key it only calls `make`. Throws `conflict` (idempotency_key_reused) if the body
 * differs, and `unavailable` if the first request takes longer than its lease.
 *
 * A stored status other than 200 is a refusal. A request that stores another success, such as 201, uses `onceForKey`.
 */
export function answerOnce<T>(app: App, key: RequestKey | null, { recover, make }: Ways<T>): Promise<T> {
  return onceForKey(() => findAnswer(app, key, recover), make)
}

async function findAnswer<T>(app: App, key: RequestKey | null, recover: Ways<T>['recover']): Promise<T | null> {
  if (!key) return null
  const response = await findResponse(app, key, async ({ resourceIds, more }) => {
    const answer = await recover(resourceIds, more)
    return answer === null ? null : { status: 200, body: answer }
  })
  if (response && response.status !== 200) throw storedRefusal(response.body as { error: string })
  return response && (response.body as T)
}

/** Stores the answer of a batch, whose messages are recorded before. Does nothing without a key. */
export async function answerBatch(app: App, key: RequestKey | null, response: StoredResponse): Promise<void> {
  if (key) await app.transaction((tx) => storeResponses(tx, [{ key, response }]))
}

/** Returns the refusal of a batch of emails, which is the fault of its first email that could not be sent. */
function storedRefusal(body: { error: string }): DomainError {
  return new DomainError('invalid', body.error, { body })
}

/** The most attempts: a first request that sent nothing frees its key, and a waiting request then becomes the first. */
const roundsMax = 5

/**
 * Returns the answer of `find`, or else of `make`. If another request claimed the key first, `make` returns null and
 * `find` is called again.
 */
export async function onceForKey<T>(find: () => Promise<T | null>, make: () => Promise<T | null>): Promise<T> {
  for (let round = 0; round < roundsMax; round++) {
    const answer = (await find()) ?? (await make())
    if (answer !== null) return answer
  }
  throw unavailable('Other requests with this Idempotency-Key keep failing. Repeat it later.', 5)
}

const pollMs = 50
/**
 * A little longer than a lease. Within that time the first request is answered, or a worker has finished it after its
 * process died.
 */
const waitMaxMs = 40_000

/**
 * Returns the answer of an earlier request with this key; null without one. Waits while that request is running.
 * `readOutcome` reads the answer from the rows of the request, in case its process died; null while it is open. Throws
 * `conflict` (idempotency_key_reused) if the body differs.
 */
export async function findResponse(
  app: App,
  key: RequestKey,
  readOutcome: (claim: Claim) => Promise<StoredResponse | null>,
): Promise<StoredResponse | null> {
  const end = performance.now() + waitMaxMs
  let read: { ids: string[]; outcome: StoredResponse } | null = null
  while (performance.now() < end) {
    const row = await findRequestKey(app.db, key)
    if (!row) return null
    if (!row.body_hash.equals(key.bodyHash)) {
      throw conflict(
        'This Idempotency-Key was used with another body. Use a new key for a new request.',
        'idempotency_key_reused',
      )
    }
    if (row.status !== null) return { status: row.status, body: row.response }
    const claim = claimOf(row)
    const ids = claim.resourceIds
    // An outcome holds only if its claim still stands: the commit that withdraws a request's rows frees its key, and
    // the one that records an outcome may store another answer.
    if (read?.ids.join() === ids.join()) return read.outcome
    const outcome = await readOutcome(claim)
    read = outcome && { ids, outcome }
    if (!outcome) await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  throw unavailable('The first request with this Idempotency-Key is still being handled. Repeat it later.', 10)
}
