import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { lastUses } from '../../platform/last-uses.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { loginMs, refreshMs } from './refresh-token.ts'

/** A session's last use is stored at most once a minute, because a page makes many requests. */
const everyMs = 60_000

export const sessionUses = lastUses<{ id: string }>('sessions', updateLastUses)

/** Notes that a session was used, if its row says a minute ago or longer. */
export function noteSessionUse(app: App, id: string, storedAt: Date): void {
  if (app.clock.now().getTime() - storedAt.getTime() >= everyMs) sessionUses.note(app, { id })
}

/** Moves the last use forward only, whichever process writes last. The cookie of a browser session then lives on. */
async function updateLastUses(app: App, uses: { id: string; at: Date }[]): Promise<void> {
  // Locked in one order, so that two processes that write the same rows cannot deadlock.
  await sql`
    with used as materialized (
      select login.family_id, noted.at
      from ${rowsOf(uses, { id: 'uuid', at: 'timestamptz' }).as('noted')}
      join refresh_tokens as login on login.family_id = noted.id
      where login.last_seen_at < noted.at and login.revoked_at is null
      order by login.family_id for no key update of login
    )
    update refresh_tokens as login set last_seen_at = used.at, expires_at = case
      when login.cookie_hash is null then login.expires_at
      else least(login.created_at + ${loginMs} * interval '1 ms', used.at + ${refreshMs} * interval '1 ms')
    end
    from used where login.family_id = used.family_id
  `.execute(app.db)
}
