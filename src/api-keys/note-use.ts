import { sql } from 'kysely'
import type { App } from '../context.ts'
import { perApp } from '../platform/per-app.ts'
import { rowsOf } from '../platform/sql-rows.ts'

/** The last use of keys is stored every 5 s, in one statement for all keys. */
const flushAfterMs = 5000
/** The number of keys remembered in one interval. Further keys are noted at their next use. */
const keysMax = 20_000

type Use = { teamId: string; id: string; at: Date }
/** `writing` holds the uses of the flush under way. */
type Uses = {
  noted: Map<string, Use>
  writing: Map<string, Use>
  flush: Promise<void> | null
  timer: NodeJS.Timeout | undefined
}

const usesOf = perApp((): Uses => ({ noted: new Map(), writing: new Map(), flush: null, timer: undefined }))

/** Remembers in memory that a key was used. It is stored within a few seconds, outside the request. */
export function noteKeyUse(app: App, { teamId, id }: { teamId: string; id: string }): void {
  const uses = usesOf(app)
  if (uses.noted.size >= keysMax && !uses.noted.has(id)) return
  uses.noted.set(id, { teamId, id, at: app.clock.now() })
  setTimer(app, uses)
}

/** Returns the last use that this process has noted, which the database may not have yet. */
export function lastNotedUse(app: App, id: string): Date | null {
  const { noted, writing } = usesOf(app)
  return (noted.get(id) ?? writing.get(id))?.at ?? null
}

/** Stores the noted uses. If the database cannot be reached they stay in memory; no request depends on them. */
export async function flushKeyUses(app: App): Promise<void> {
  const uses = usesOf(app)
  await uses.flush
  clearTimeout(uses.timer)
  uses.timer = undefined
  if (uses.noted.size === 0 || uses.flush) return
  uses.flush = writeUses(app, uses)
  await uses.flush
}

async function writeUses(app: App, uses: Uses): Promise<void> {
  uses.writing = uses.noted
  uses.noted = new Map()
  try {
    await updateLastUses(app, [...uses.writing.values()])
  } catch (error) {
    app.log.warn({ err: error }, 'last uses of API keys not written yet')
    uses.noted = new Map([...uses.writing, ...uses.noted].slice(0, keysMax))
    setTimer(app, uses)
  }
  uses.writing = new Map()
  uses.flush = null
}

function setTimer(app: App, uses: Uses): void {
  uses.timer ??= setTimeout(() => void flushKeyUses(app), flushAfterMs).unref()
}

/** Moves the last use forward only, whichever process writes last. Deleted keys are skipped. */
async function updateLastUses(app: App, uses: Use[]): Promise<void> {
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
