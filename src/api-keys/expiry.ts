import { invalid } from '../platform/errors.ts'

/**
 * Parses the `expiresAt` of a request. Null means that the key does not expire. Throws `invalid` for a time in the
 * past.
 */
export function readExpiry(text: string | null, now: Date): Date | null {
  if (text === null) return null
  const end = new Date(text)
  if (end <= now) throw invalid('expiresAt', 'must be in the future; delete the key to end it now')
  return end
}
