import { sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../context.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { dayOf } from '../../platform/time/clock.ts'
import type { Usage } from './take.ts'

/**
 * Locks the use of these teams until the transaction ends, which makes limits exact across processes. Locks in the
 * order of the teams' ids, and before their credit, so that two transactions cannot deadlock here.
 */
export async function lockUsages(tx: Tx, teams: Iterable<string>): Promise<Map<string, Usage>> {
  const teamIds = [...new Set(teams)].sort()
  const found = await selectForUpdate(tx, teamIds)
  if (found.size === teamIds.length) return found
  await sql`
    insert into sms_usage (team_id, day, messages_today, spend_units_today)
    select team_id, ${dayOf(tx.now)}, 0, 0 from unnest(${teamIds}::uuid[]) as team (team_id)
    on conflict do nothing
  `.execute(tx.db)
  return selectForUpdate(tx, teamIds)
}

async function selectForUpdate(tx: Tx, teamIds: string[]): Promise<Map<string, Usage>> {
  const rows = await tx.send(sql<{ teamId: string; day: string; messages: number; units: string }>`
    select team_id as "teamId", day, messages_today as messages, spend_units_today as units
    from sms_usage where team_id = any(${teamIds}::uuid[]) order by team_id for no key update
  `)
  return new Map(rows.map(({ teamId, units, ...usage }) => [teamId, { ...usage, units: Number(units) }]))
}

export async function writeUsages(tx: Tx, usages: Map<string, Usage>): SentAtOnce {
  const rows = [...usages].map(([teamId, usage]) => ({ ...usage, teamId }))
  await tx.send(sql`
    update sms_usage set day = new.day, messages_today = new.messages, spend_units_today = new.units
    from ${rowsOf(rows, { teamId: 'uuid', day: 'date', messages: 'int', units: 'bigint' }).as('new')}
    where sms_usage.team_id = new.team_id
  `)
}

/** `day` is the day on which the message was counted. Counts of earlier days no longer exist. */
type ReturnedUsage = { teamId: string; day: string; messages: number; units: number }

/** Returns the use of messages that were not sent. */
export async function returnUsage(tx: Tx, returned: ReturnedUsage[]): Promise<void> {
  if (returned.length === 0) return
  const teamIds = returned.map(({ teamId }) => teamId)
  const usages = await lockUsages(tx, teamIds)
  for (const { teamId, day, messages, units } of returned) {
    const usage = usages.get(teamId)!
    if (usage.day !== day) continue
    usages.set(teamId, { day, messages: usage.messages - messages, units: usage.units - units })
  }
  tx.withCommit(writeUsages(tx, usages))
}
