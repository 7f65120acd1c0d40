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
 * The credit of each team, locked until the unit of work ends; teams that have none yet begin with nothing. Locked in the
 * order of their ids, so that units of work over many teams cannot deadlock here. Who also counts usage locks that before.
 */
export async function lockCredit(tx: Tx, teamIds: Iterable<string>): Promise<Map<string, Credit>> {
  const ids = [...new Set(teamIds)].sort()
  const found = await selectForUpdate(tx, ids)
  if (found.size === ids.length) return found
  await sql`insert into sms_credit (team_id) select unnest(${ids}::uuid[]) on conflict do nothing`.execute(tx.db)
  return selectForUpdate(tx, ids)
}

/** Not `for update`: rows that name the team's credit may be added meanwhile. */
async function selectForUpdate(tx: Tx, teamIds: string[]): Promise<Map<string, Credit>> {
  const { rows } = await sql<Omit<Credit, 'balanceUnits'> & { teamId: string; units: string }>`
    select team_id as "teamId", balance_units as units, term,
      period_start as "periodStart", period_end as "periodEnd", period_anchor as "periodAnchor"
    from sms_credit where team_id = any(${teamIds}::uuid[]) order by team_id for no key update
  `.execute(tx.db)
  return new Map(rows.map(({ teamId, units, ...credit }) => [teamId, { ...credit, balanceUnits: Number(units) }]))
}
