import type { Caller, LimitOverrides } from '../../context.ts'
import { invalid } from '../errors.ts'
import { type Mode, teamsReadBy, testTeamOf } from './mode.ts'

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
 * The limits that messages of test keys do not have. `test_limits` in the database sets the same. Requests a minute and
 * stored bytes stay.
 */
const testLimits: LimitOverrides = {
  dailyEmailLimit: unlimited,
  emailsPerSecond: 1_000_000,
  scheduledEmails: 1_000_000,
  dailySmsLimit: unlimited,
  smsBatchSize: 100,
  dailySmsSpendLimit: unlimited,
}

/**
 * Returns the ids whose people a caller reaches: a signed-in person in test mode also those of the live team, a test
 * key its own.
 */
export function teamsReachedBy({ kind, teamId }: Pick<Caller, 'kind' | 'teamId'>): string[] {
  return kind === 'user' ? teamsReadBy(teamId) : [teamId]
}

/** Tells whether a test key looks at a live row. */
export function isLiveToTestKey({ kind, mode }: Caller, row: { mode?: Mode }): boolean {
  return kind === 'apiKey' && mode === 'test' && row.mode !== 'test'
}
