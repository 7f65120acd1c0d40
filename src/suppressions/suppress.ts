import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import { normalizeAddress } from '../platform/mail-address.ts'
import type { SuppressionReason } from './table.ts'

export type NewSuppression = { teamId: string; email: string; reason: SuppressionReason }

/** Blocks bare addresses of many teams at once. An address that is blocked already keeps its entry and its reason. */
export async function suppressAddresses(tx: Tx, entries: NewSuppression[]): Promise<void> {
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

function orderOf(row: { team_id: string; email_normalized: string }): string {
  return `${row.team_id} ${row.email_normalized}`
}
