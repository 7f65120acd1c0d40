import { createHmac, timingSafeEqual } from 'node:crypto'
import { unauthenticated } from '../../platform/errors.ts'

/** Throws `unauthenticated` unless the header is `sha256=<hex>`, the HMAC-SHA256 of the body as it came. */
export function refuseUnsigned(secret: string | null, header: string | string[] | undefined, body: Buffer): void {
  const match = typeof header === 'string' ? /^sha256=([0-9a-f]{64})$/i.exec(header) : null
  const given = Buffer.from(match?.[1] ?? '', 'hex')
  const expected = secret === null ? null : createHmac('sha256', secret).update(body).digest()
  if (expected?.length === given.length && timingSafeEqual(expected, given)) return
  throw unauthenticated(
    'X-Signature: must be sha256=<hex>, the HMAC-SHA256 of the body as it is sent, with WHATSAPP_WEBHOOK_SECRET as the key.',
  )
}
