import { type RawBuilder, sql } from 'kysely'
import type { Caller, LimitOverrides } from '../../context.ts'
import { invalid } from '../errors.ts'

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

/**
 * Returns the ids whose people a caller reaches: a signed-in person in test mode also those of the live team, a test
 * key its own.
 */
export function teamsReachedBy({ kind, teamId }: Pick<Caller, 'kind' | 'teamId'>): string[] {
  return kind === 'user' ? teamsReadBy(teamId) : [teamId]
}

export function isTestTeam(teamId: string): boolean {
  return teamId[versionAt] === '8'
}

export function modeOf(teamId: string): Mode {
  return isTestTeam(teamId) ? 'test' : 'live'
}

/** Tells whether a test key looks at a live row. */
export function isLiveToTestKey({ kind, mode }: Caller, row: { mode?: Mode }): boolean {
  return kind === 'apiKey' && mode === 'test' && row.mode !== 'test'
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

/**
 * Returns the caller as resources that exist in each mode see it: in test mode with the test team's id and without
 * limits of messages. `asked` is the `mode` of the query. Throws `invalid` if a key names another mode than its own.
 */
export function callerInMode(caller: Caller, asked: Mode | undefined): Caller {
  if (asked !== undefined && asked !== caller.mode && caller.kind === 'apiKey') {
    throw invalid('mode', `must be ${caller.mode}, the mode of this API key, or left out`)
  }
  const mode = asked ?? caller.mode
  if (mode === 'live') return caller
  const limitOverrides = { ...caller.limitOverrides, ...testLimits }
  return { ...caller, mode, teamId: testTeamOf(caller.teamId), limitOverrides }
}

const unlimited = 1_000_000_000

/**
 * The limits that messages of test keys do not have. Migration 0046 sets the same. Requests a minute and stored bytes
 * stay.
 */
const testLimits: LimitOverrides = {
  dailyEmailLimit: unlimited,
  emailsPerSecond: 1_000_000,
  scheduledEmails: 1_000_000,
  dailySmsLimit: unlimited,
  dailySmsSpendLimit: unlimited,
}

function withVersion(id: string, version: string): string {
  return id.slice(0, versionAt) + version + id.slice(versionAt + 1)
}
