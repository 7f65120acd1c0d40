import { invalid } from '../platform/errors.ts'

/** The `expiresAt` of a request; null is without end. Throws `invalid` for a time that has passed. */
export function readExpiry(text: string | null, now: Date): Date | null {
  if (text === null) return null
  const end = new Date(text)
  if (end <= now) throw invalid('expiresAt', 'must be in the future; delete the key to end it now')
  return end
}
