import type { App } from '../../context.ts'
import { DomainError } from '../errors.ts'
import { findResponse, onceForKey, type RequestKey } from './keys.ts'

type Ways<T> = {
  /**
   * Returns the answer of a first request whose process died, from the rows that it wrote. Null while the outcome is
   * open. `ids` and `more` are those of the first request's claim.
   */
  recover(ids: string[], more: unknown): Promise<T | null>
  /** Handles the request as the first one with its key. Null if another request claimed the key before. */
  make(): Promise<T | null>
}

/**
 * Answers a request once: a repeat with the same key and body gets the first request's answer or stored refusal, and
 * waits for it if necessary. Without a key it only calls `make`. Throws `conflict` (idempotency_key_reused) if the body
 * differs, and `unavailable` if the first request takes longer than its lease.
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

/** Returns the refusal of a batch of emails, which is the fault of its first email that could not be sent. */
function storedRefusal(body: { error: string }): DomainError {
  return new DomainError('invalid', body.error, { body })
}
