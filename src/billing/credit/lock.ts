import { sql } from 'kysely'
import type { Tx } from '../../context.ts'

export type Credit = {
  balanceUnits: number
  term: number
  periodStart: Date | null
  periodEnd: Date | null
  periodAnchor: Date | null
}

/**
 * Locks the credit of each team until the transaction ends; a team without a row gets one with zero credit. Locks in
 * the order of the teams' ids, so that transactions over many teams cannot deadlock. A transaction that also counts
 * usage locks the usage first.
 */
export async function lockCredit(tx: Tx, teamIds: Iterable<string>): Promise<Map<string, Credit>> {
  const ids = [...new Set(teamIds)].sort()
  const found = await selectForUpdate(tx, ids)
  if (found.size === ids.length) return found
  await sql`insert into sms_credit (team_id) select unnest(${ids}::uuid[]) on conflict do nothing`.execute(tx.db)
  return selectForUpdate(tx, ids)
}

/** Not `for update`, so that rows that reference the team's credit can still be added. */
async function selectForUpdate(tx: Tx, teamIds: string[]): Promise<Map<string, Credit>> {
  const rows = await tx.send(sql<Omit<Credit, 'balanceUnits'> & { teamId: string; units: string }>`
    select team_id as "teamId", balance_units as units, term,
      period_start as "periodStart", period_end as "periodEnd", period_anchor as "periodAnchor"
    from sms_credit where team_id = any(${teamIds}::uuid[]) order by team_id for no key update
  `)
  return new Map(rows.map(({ teamId, units, ...credit }) => [teamId, { ...credit, balanceUnits: Number(units) }]))
}
