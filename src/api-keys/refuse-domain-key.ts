import type { Caller } from '../context.ts'
import { forbidden } from '../platform/errors.ts'

/** Throws `forbidden` for a sending key of one domain: it sends email from that domain, and uses no other channel. */
export function refuseDomainKey({ permission, domainId }: Caller): void {
  if (permission === 'sending_access' && domainId !== null) {
    throw forbidden('This API key is restricted to one domain and sends email only. Use a key without a domain.')
  }
}
