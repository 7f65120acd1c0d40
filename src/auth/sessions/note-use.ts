import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { perApp } from '../../platform/per-app.ts'
import { rowsOf } from '../../platform/sql-rows.ts'
import { loginMs, refreshMs } from './refresh-token.ts'

/** A session's last use is stored at most once a minute, because a page makes many requests. */
const everyMs = 60_000
/** Noted uses are stored every 5 s, in one statement for all sessions. */
const flushAfterMs = 5000
/** The number of sessions remembered in one interval. Further ones are noted at their next use. */
const sessionsMax = 20_000

type Uses = { noted: Map<string, Date>; flush: Promise<void> | null; timer: NodeJS.Timeout | undefined }

const usesOf = perApp((): Uses => ({ noted: new Map(), flush: null, timer: undefined }))

/**
 * Remembers in memory that a session was used, if its row says a minute ago or longer. It is stored outside the
 * request.
 */
export function noteSessionUse(app: App, id: string, storedAt: Date): void {
  const now = app.clock.now()
  if (now.getTime() - storedAt.getTime() < everyMs) return
  const uses = usesOf(app)
  if (uses.noted.size >= sessionsMax && !uses.noted.has(id)) return
  uses.noted.set(id, now)
  uses.timer ??= setTimeout(() => void flushSessionUses(app), flushAfterMs).unref()
}

/** Returns a use that this process has noted and not stored yet. */
export function lastNotedUse(app: App, id: string): Date | null {
  return usesOf(app).noted.get(id) ?? null
}

/** Stores the noted uses. If the database cannot be reached they are dropped: the next use notes itself again. */
export async function flushSessionUses(app: App): Promise<void> {
  const uses = usesOf(app)
  await uses.flush
  clearTimeout(uses.timer)
  uses.timer = undefined
  if (uses.noted.size === 0 || uses.flush) return
  uses.flush = writeUses(app, uses)
  await uses.flush
}

async function writeUses(app: App, uses: Uses): Promise<void> {
  const writing = uses.noted
  try {
    await updateLastUses(
      app,
      [...writing].map(([id, at]) => ({ id, at })),
    )
  } catch (error) {
    app.log.warn({ err: error }, 'last uses of sessions not written')
  }
  for (const [id, at] of writing) if (uses.noted.get(id) === at) uses.noted.delete(id)
  uses.flush = null
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
