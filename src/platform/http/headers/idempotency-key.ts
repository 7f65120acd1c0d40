import { invalid } from '../../errors.ts'

/** Reads the key: 1 to 255 printable ASCII characters. Null if the header is missing. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const valid = typeof header === 'string' && /^[\x20-\x7e]{1,255}$/.test(header)
  if (!valid) throw invalid('Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
  return header
}
