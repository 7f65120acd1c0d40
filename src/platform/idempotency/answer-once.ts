import type { App } from '../../context.ts'
import { DomainError } from '../errors.ts'
import { findResponse, onceForKey, type RequestKey } from './keys.ts'

type Ways<T> = {
  /**
   * The answer, told from what the first request wrote: the process that owed it died. Null while the outcome is open.
   * `ids` are the `resourceIds` that the first request claimed its key with.
   */
  recover(ids: string[]): Promise<T | null>
  /** Handles the request as the first one with its key. Null where another request claimed the key before. */
  make(): Promise<T | null>
}

/**
 * Answers a request once: a repeat with the same key and body gets the first one's answer, also while that one is still being
 * handled, and throws the refusal that the first one stored. Without a key it only calls `make`. Throws `conflict`
 * (idempotency_key_reused) where the body differs, and `unavailable` where the first request takes longer than its lease.
 */
export function answerOnce<T>(app: App, key: RequestKey | null, { recover, make }: Ways<T>): Promise<T> {
  return onceForKey(() => findAnswer(app, key, recover), make)
}

async function findAnswer<T>(app: App, key: RequestKey | null, recover: Ways<T>['recover']): Promise<T | null> {
  if (!key) return null
  const response = await findResponse(app, key, async (ids) => {
    const answer = await recover(ids)
    return answer === null ? null : { status: 200, body: answer }
  })
  if (response && response.status !== 200) throw storedRefusal(response.body as { error: string })
  return response && (response.body as T)
}

/** A batch of emails is refused with the fault of its first email that could not be sent. */
function storedRefusal(body: { error: string }): DomainError {
  return new DomainError('invalid', body.error, { body })
}
