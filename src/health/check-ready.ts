import type { App } from '../context.ts'
import { unavailable } from '../platform/errors.ts'

/** Throws `unavailable` while the database is out of reach or the process is shutting down. */
export async function checkReady(app: App) {
  if (app.isDraining()) throw unavailable('This process is shutting down.', 1)
  await app.db.selectNoFrom((query) => query.lit(1).as('one')).execute()
  return { status: 'ready' }
}
