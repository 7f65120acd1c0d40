import type { Config, Db } from '../../context.ts'
import { liveTeamOf } from '../../platform/mode/mode.ts'
import type { Retention } from '../../platform/retention/removal.ts'

/** Returns the server's defaults. */
export function defaultRetention(config: Config): Retention {
  return {
    emailBodiesDays: config.retentionEmailBodiesDays,
    emailsDays: config.retentionEmailsDays,
    eventsDays: config.retentionEventsDays,
    messagesDays: config.retentionMessagesDays,
    executionsDays: config.retentionExecutionsDays,
    inboxDays: config.retentionInboxDays,
  }
}

/**
 * Finds the retention of a team: its own choices, and the server's defaults for the others. Both modes have the same.
 */
export async function findRetention(db: Db, config: Config, teamId: string): Promise<Retention> {
  const row = await db
    .selectFrom('team_retention')
    .select('choices')
    .where('team_id', '=', liveTeamOf(teamId))
    .executeTakeFirst()
  return { ...defaultRetention(config), ...row?.choices }
}

/** Returns the time before which data is old; null if it is kept for ever. */
export function oldBefore(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() - days * dayMs)
}

const dayMs = 24 * 3_600_000
