import { sql } from 'kysely'
import type { App } from '../context.ts'
import { unavailable } from '../platform/errors.ts'
import { gatheredFor } from '../platform/gather.ts'

/** Throws `unavailable` while the database cannot be reached or the process is shutting down. */
export async function checkReady(app: App) {
  if (app.isDraining()) throw unavailable('This process is shutting down.', 1)
  await askDatabase(app, null)
  return { status: 'ready' }
}

/** Concurrent probes share one query, because they are not rate-limited. */
const askDatabase = gatheredFor<App, null, null>(
  async (app, probes) => {
    await refuseReadOnly.execute(app.db)
    return probes
  },
  { itemsMax: 1000, flushesMax: 1 },
)

/** The error of a refused write, for which the pool replaces its connections (`platform/db.ts`). */
const refuseReadOnly = sql`
  do $$ begin
    if current_setting('transaction_read_only')::boolean then
      raise sqlstate '25006' using message = 'the database is read-only';
    end if;
  end $$
`
