import { sql } from 'kysely'
import type { App } from '../context.ts'
import { lastUses } from '../platform/last-uses.ts'
import { rowsOf } from '../platform/sql/sql-rows.ts'

export const keyUses = lastUses<{ teamId: string; id: string }>('API keys', updateLastUses)

/** Moves the last use forward only, whichever process writes last. Deleted keys are skipped. */
async function updateLastUses(app: App, uses: { teamId: string; id: string; at: Date }[]): Promise<void> {
  // Locked in one order, so that two processes that write the same keys cannot deadlock.
  await sql`
    with used as materialized (
      select api_keys.team_id, api_keys.id, noted.at
      from ${rowsOf(uses, { teamId: 'uuid', id: 'uuid', at: 'timestamptz' }).as('noted')}
      join api_keys on api_keys.team_id = noted.team_id and api_keys.id = noted.id
      where api_keys.last_used_at is null or api_keys.last_used_at < noted.at
      order by api_keys.team_id, api_keys.id for no key update of api_keys
    )
    update api_keys set last_used_at = used.at from used
    where api_keys.team_id = used.team_id and api_keys.id = used.id
  `.execute(app.db)
}
