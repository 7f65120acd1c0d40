import { sql } from 'kysely'
import type { App, Db } from '../../context.ts'
import { nilId } from '../../platform/ids.ts'
import { checkTeam } from './check-team.ts'
import type { VerifiedTeam } from './verified-team.ts'

const teamsMax = 500

type Verified = { teams: number; messages: number; differing: number }

/**
 * Checks the SMS accounts of one team or of all teams. Calls `report` with the differences of one team at a time. Each
 * team is read in pages from its own snapshot: one snapshot for all teams would keep the database from cleaning up.
 */
export async function verifyBilling(
  app: App,
  onlyTeamId: string | null,
  report: (teamId: string, differences: string[]) => unknown,
): Promise<Verified> {
  const total: Verified = { teams: 0, messages: 0, differing: 0 }
  let after = nilId
  for (;;) {
    const teams = await findTeamIds(app.db, onlyTeamId, after)
    for (const { id } of teams) {
      const { messages, differences } = await verifyTeam(app, id)
      total.teams++
      total.messages += messages
      if (differences.length === 0) continue
      total.differing++
      await report(id, differences)
    }
    if (teams.length < teamsMax) return total
    after = teams.at(-1)!.id
  }
}

function findTeamIds(db: Db, onlyTeamId: string | null, after: string): Promise<{ id: string }[]> {
  return db
    .selectFrom('teams')
    .select('id')
    .where('id', '>', after)
    .where('test_of', 'is', null)
    .$if(onlyTeamId !== null, (teams) => teams.where('id', '=', onlyTeamId!))
    .orderBy('id')
    .limit(teamsMax)
    .execute()
}

function verifyTeam(app: App, teamId: string): ReturnType<typeof checkTeam> {
  return app.transaction(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx.db)
    const team = await findTeam(tx.db, teamId)
    return team ? checkTeam(tx.db, team) : { messages: 0, differences: [] }
  })
}

/** Finds the team. Undefined if it was deleted. */
function findTeam(db: Db, teamId: string): Promise<VerifiedTeam | undefined> {
  return db
    .selectFrom('teams as team')
    .leftJoin('sms_credit as credit', 'credit.team_id', 'team.id')
    .leftJoin('sms_usage as usage', 'usage.team_id', 'team.id')
    .select(['team.id as teamId', 'credit.balance_units as balanceUnits', 'usage.day'])
    .select(['usage.messages_today as messagesToday', 'usage.spend_units_today as spendUnitsToday'])
    .where('team.id', '=', teamId)
    .executeTakeFirst()
}
