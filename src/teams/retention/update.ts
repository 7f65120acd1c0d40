import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { recordUpdate } from '../../platform/audit/record.ts'
import { liveTeamOf, testTeamOf } from '../../platform/mode/mode.ts'
import type { Retention } from '../../platform/retention/removal.ts'
import { hurryRemovals } from './hurry-removals.ts'
import { findRetention } from './retention.ts'
import type { RetentionChanges } from './schema.ts'

/** Changes how long a team keeps its data, and has the old data removed from now on. */
export function updateRetention(app: App, teamId: string, changes: RetentionChanges): Promise<Retention> {
  return app.transaction(async (tx) => {
    await lockRetention(tx, teamId)
    const before = await findRetention(tx.db, app.config, teamId)
    await sql`
      insert into team_retention (team_id, choices) values (${teamId}, ${JSON.stringify(changes)})
      on conflict (team_id) do update set choices = team_retention.choices || excluded.choices
    `.execute(tx.db)
    const target = { type: 'team', id: teamId }
    await recordUpdate(tx, { teamId, action: 'retention.changed', target }, before, changes as Partial<Retention>)
    await hurryRemovals(tx, [teamId, testTeamOf(teamId)])
    return { ...before, ...changes } as Retention
  })
}

/**
 * Locks a team's retention until the transaction ends, so that a pass that ends sees a change or is followed by another
 * pass.
 */
export async function lockRetention(tx: Tx, teamId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`retention of ${liveTeamOf(teamId)}`}, 0))`.execute(tx.db)
}
