import { sql } from 'kysely'
import type { Db } from '../context.ts'
import { normalizeAddress } from '../platform/mail-address.ts'
import { rowsOf } from '../platform/sql-rows.ts'

export const suppressionColumns = ['id', 'email', 'reason', 'created_at as createdAt'] as const

export function findSuppression(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('suppressions')
    .select(suppressionColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Finds which of these bare addresses are suppressed, for many teams in one statement. Returns a set of
 * `${teamId} ${normalizeAddress(address)}`.
 */
export async function findSuppressed(db: Db, pairs: { teamId: string; address: string }[]): Promise<Set<string>> {
  if (pairs.length === 0) return new Set()
  const wanted = pairs.map(({ teamId, address }) => ({ teamId, address: normalizeAddress(address) }))
  const { rows } = await sql<{ team_id: string; email_normalized: string }>`
    select team_id, email_normalized from suppressions
    where (team_id, email_normalized) in (select * from ${rowsOf(wanted, { teamId: 'uuid', address: 'text' }).as('wanted')})
  `.execute(db)
  return new Set(rows.map((row) => `${row.team_id} ${row.email_normalized}`))
}
