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
    await app.db.selectNoFrom((query) => query.lit(1).as('one')).execute()
    return probes
  },
  { itemsMax: 1000, flushesMax: 1 },
)
