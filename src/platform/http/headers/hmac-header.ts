import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Tells whether a header is `sha256=<hex>`, the HMAC-SHA256 of the body with one of the secrets. Compares in constant
 * time.
 */
export function isSignedBody(secrets: readonly string[], header: unknown, body: Buffer): boolean {
  const match = typeof header === 'string' ? /^sha256=([0-9a-f]{64})$/i.exec(header) : null
  const given = Buffer.from(match?.[1] ?? '', 'hex')
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(body).digest())
  return expected.some((bytes) => bytes.length === given.length && timingSafeEqual(bytes, given))
}
