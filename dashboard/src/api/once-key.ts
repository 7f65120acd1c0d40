import { useRef } from 'react'

/** A key for `Idempotency-Key`. `crypto.randomUUID` is missing on plain http. */
export function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

export type OnceKey = { of: string; value: string }

/**
 * Gives each request a key that stays the same while its body does, so that a message which is sent again because its
 * answer was lost is sent once. `found` is a kept one.
 */
export function useOnceKey(found?: OnceKey) {
  const key = useRef<OnceKey>(found ?? { of: '', value: '' })
  return {
    key,
    headersFor: (json: string) => {
      if (key.current.of !== json) key.current = { of: json, value: randomKey() }
      return { 'Idempotency-Key': key.current.value }
    },
  }
}
