import { sql } from 'kysely'
import type { DomainRow } from './queries.ts'
import { otherSelector } from './records.ts'
import type { Findings } from './rules.ts'

/** How long the record of a replaced key has to stay: for longer than any server tries to deliver (RFC 5321 4.5.4.1). */
const oldKeyMs = 7 * 24 * 3_600_000

/** The key whose record was found signs from now on, and the one before it is kept in sight for a while. */
export function newKey(before: DomainRow, now: Date) {
  return {
    dkim_public_key: before.dkim_next_public_key!,
    // The private key is moved within the database.
    dkim_private_key: sql<string>`dkim_next_private_key`,
    dkim_selector: otherSelector(before.dkim_selector),
    dkim_next_public_key: null,
    dkim_next_private_key: null,
    dkim_old_public_key: before.dkim_public_key,
    dkim_old_until: new Date(now.getTime() + oldKeyMs),
    updated_at: now,
  }
}

/** The found records once the next key has become the key. */
export function withNewKey({ nextDkim: _, ...findings }: Findings): Findings {
  return { ...findings, dkim: 'found' }
}

/** Clears the record of a replaced key when its time is over. */
export function expiredKey({ dkim_old_until: until }: DomainRow, now: Date) {
  return until !== null && until <= now ? { dkim_old_public_key: null, dkim_old_until: null } : {}
}
