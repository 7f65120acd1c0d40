import { useRef } from 'react'
import { objectOf } from './objects.ts'

/** A key for `Idempotency-Key`. `crypto.randomUUID` is missing on plain http. */
export function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

export type OnceKey = { of: string; value: string }

const none: OnceKey = { of: '', value: '' }

/**
 * Gives each request a key that stays the same while its body does, so that a message which is sent again because its
 * answer was lost is sent once. `found` is what was kept of an earlier one.
 */
export function useOnceKey(found?: unknown) {
  const key = useRef<OnceKey>(readOnceKey(found))
  return {
    key,
    headersFor: (json: string) => {
      if (key.current.of !== json) key.current = { of: json, value: randomKey() }
      return { 'Idempotency-Key': key.current.value }
    },
    /** After an answer the same body is a new request. */
    renew: () => {
      key.current = none
    },
  }
}

function readOnceKey(found: unknown): OnceKey {
  const { of, value } = objectOf(found)
  return typeof of === 'string' && typeof value === 'string' ? { of, value } : none
}
