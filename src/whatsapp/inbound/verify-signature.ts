import { unauthenticated } from '../../platform/errors.ts'
import { isSignedBody } from '../../platform/http/hmac-header.ts'

/** Throws `unauthenticated` unless one of the secrets signs the body. */
export function refuseUnsigned(secrets: readonly string[], header: string | string[] | undefined, body: Buffer): void {
  if (isSignedBody(secrets, header, body)) return
  throw unauthenticated(
    'X-Signature: must be sha256=<hex>, the HMAC-SHA256 of the body as it is sent, with WHATSAPP_WEBHOOK_SECRET as the key.',
  )
}
