import { type RawBuilder, sql } from 'kysely'

/** `test`: everything is captured, nothing leaves and nothing counts. */
export type Mode = 'live' | 'test'

/** Where an id has its version. Ids of teams have version 7, and those of test teams version 8 (RFC 9562). */
const versionAt = 14

/**
 * Returns the id under which the messages of a team's test keys are stored. It belongs to a second row of `teams`,
 * which the database keeps for each team. The two share nothing but configuration, which is stored under the live id.
 */
export function testTeamOf(teamId: string): string {
  return withVersion(teamId, '8')
}

/** Returns the id under which a team's configuration is stored, for the id of either mode. */
export function liveTeamOf(teamId: string): string {
  return isTestTeam(teamId) ? withVersion(teamId, '7') : teamId
}

/** Returns the ids whose rows a caller reads: in test mode also those of the live team, which it never changes. */
export function teamsReadBy(teamId: string): string[] {
  return isTestTeam(teamId) ? [teamId, liveTeamOf(teamId)] : [teamId]
}

export function isTestTeam(teamId: string): boolean {
  return teamId[versionAt] === '8'
}

export function modeOf(teamId: string): Mode {
  return isTestTeam(teamId) ? 'test' : 'live'
}

/** The mode of a row, from the reference to its `team_id`. */
export function modeIn(teamId: RawBuilder<unknown>): RawBuilder<Mode> {
  return sql<Mode>`case when substr(${teamId}::text, 15, 1) = '8' then 'test' else 'live' end`
}

/** The id under which the configuration of a row's team is stored, from the reference to its `team_id`. */
export function liveTeamIn(teamId: RawBuilder<unknown>): RawBuilder<string> {
  return sql`case when substr(${teamId}::text, 15, 1) = '8' then overlay(${teamId}::text placing '7' from 15 for 1)::uuid
    else ${teamId} end`
}

/** Returns the ids under which rows may be stored that name a row of this team. */
export function teamsNaming(teamId: string): string[] {
  return isTestTeam(teamId) ? [teamId] : [teamId, testTeamOf(teamId)]
}

/** The column `mode` of a row that has a `team_id`. */
export const modeColumn = modeIn(sql`team_id`).as('mode')

function withVersion(id: string, version: string): string {
  return id.slice(0, versionAt) + version + id.slice(versionAt + 1)
}
