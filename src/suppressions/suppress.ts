import { sql } from 'kysely'
import type { SentAtOnce, Tx } from '../context.ts'
import { rowsOf } from '../platform/sql/sql-rows.ts'
import { normalizeAddress } from '../platform/text/mail-address.ts'
import type { SuppressionReason } from './table.ts'

type NewSuppression = { teamId: string; email: string; reason: SuppressionReason }

/** Blocks bare addresses of many teams at once. An address that is blocked already keeps its entry and its reason. */
export async function suppressAddresses(tx: Tx, entries: NewSuppression[]): SentAtOnce {
  if (entries.length === 0) return
  const rows = entries.map(({ teamId, email, reason }) => ({
    team_id: teamId,
    id: tx.newId(),
    email,
    email_normalized: normalizeAddress(email),
    reason,
    created_at: tx.now,
  }))
  // Inserts in one order, so that two transactions that block the same addresses wait and do not deadlock.
  rows.sort((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1))
  await tx.send(sql`
    insert into suppressions (team_id, id, email, email_normalized, reason, created_at)
    select team_id, id, email, email_normalized, reason, created_at
    from json_populate_recordset(null::suppressions, ${JSON.stringify(rows)}::json)
    on conflict (team_id, email_normalized) do nothing
  `)
}

/**
 * Gives entries that were added by hand or by unsubscribing the reason of a bounce or a complaint of system mail, which
 * heeds only these.
 */
export async function noteSystemReasons(tx: Tx, entries: NewSuppression[]): SentAtOnce {
  if (entries.length === 0) return
  const rows = entries
    .map(({ teamId, email, reason }) => ({ teamId, address: normalizeAddress(email), reason }))
    .sort((left, right) => (left.address < right.address ? -1 : 1))
  await tx.send(sql`
    update suppressions as entry set reason = new.reason
    from ${rowsOf(rows, { teamId: 'uuid', address: 'text', reason: 'text' }).as('new')}
    where entry.team_id = new.team_id and entry.email_normalized = new.address and entry.reason in ('manual', 'unsubscribe')
  `)
}

function orderOf(row: { team_id: string; email_normalized: string }): string {
  return `${row.team_id} ${row.email_normalized}`
}
