import { sql } from 'kysely'
import type { DomainRow } from '../queries.ts'
import { otherSelector } from '../records.ts'
import type { Findings } from '../rules.ts'

/** The record of a replaced key stays for 7 days, longer than servers keep trying to deliver (RFC 5321 4.5.4.1). */
const oldKeyMs = 7 * 24 * 3_600_000

/** Makes the next key the signing key and lists the former one for 7 days. */
export function newKey(before: DomainRow, now: Date) {
  return {
    dkim_public_key: before.dkim_next_public_key!,
    // The encrypted private key is copied within the database.
    dkim_private_key: sql<string>`dkim_next_private_key`,
    dkim_selector: otherSelector(before.dkim_selector),
    dkim_next_public_key: null,
    dkim_next_private_key: null,
    dkim_old_public_key: before.dkim_public_key,
    dkim_old_until: new Date(now.getTime() + oldKeyMs),
    updated_at: now,
  }
}

/** The findings after the next key has become the signing key. */
export function withNewKey({ nextDkim: _, ...findings }: Findings): Findings {
  return { ...findings, dkim: 'found' }
}

/** Clears a replaced key after its 7 days. */
export function expiredKey({ dkim_old_until: until }: DomainRow, now: Date) {
  return until !== null && until <= now ? { dkim_old_public_key: null, dkim_old_until: null } : {}
}
