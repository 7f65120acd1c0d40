import { createHmac, timingSafeEqual } from 'node:crypto'
import { unauthenticated } from '../../platform/errors.ts'

/** Throws `unauthenticated` unless the header is `sha256=<hex>`, the HMAC-SHA256 of the body as it came with one of the secrets. */
export function refuseUnsigned(secrets: readonly string[], header: string | string[] | undefined, body: Buffer): void {
  const match = typeof header === 'string' ? /^sha256=([0-9a-f]{64})$/i.exec(header) : null
  const given = Buffer.from(match?.[1] ?? '', 'hex')
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(body).digest())
  if (expected.some((bytes) => bytes.length === given.length && timingSafeEqual(bytes, given))) return
  throw unauthenticated(
    'X-Signature: must be sha256=<hex>, the HMAC-SHA256 of the body as it is sent, with WHATSAPP_WEBHOOK_SECRET as the key.',
  )
}
