import type { Config } from '../../context.ts'
import { mailHostOf } from '../../domains/records.ts'

/** Returns the name for EHLO. A host without a name uses its address in brackets (RFC 5321 4.1.3). */
export function localNameOf(config: Pick<Config, 'publicUrl'>): string {
  const host = mailHostOf(config)
  if (host.includes(':')) return `[IPv6:${host}]`
  return /^[\d.]+$/.test(host) ? `[${host}]` : host
}
