import { sql } from 'kysely'
import type { App } from '../context.ts'
import { unavailable } from '../platform/errors.ts'
import { gatheredFor } from '../platform/transaction/gather.ts'

/**
 * Throws `unavailable` while the database cannot be reached or cannot take a write, or the process is shutting down.
 */
export async function checkReady(app: App) {
  if (app.isDraining()) throw unavailable('This process is shutting down.', 1)
  await askDatabase(app, null)
  return { status: 'ready' }
}

/** A refused write is followed by others as long as there is traffic. Without it, a write is tried after this time. */
const refusedForMs = 5000
/** After this time without a refused write none is tried any more. */
const triedForMs = 10 * 60_000

/** Concurrent probes share one query, because they are not rate-limited. */
const askDatabase = gatheredFor<App, null, null>(
  async (app, probes) => {
    await refuseReadOnly.execute(app.db)
    const refused = app.lastRefusedWrite()
    const agoMs = refused ? performance.now() - refused.at : Number.POSITIVE_INFINITY
    if (agoMs < refusedForMs) throw unavailable(`A write was refused: ${refused!.cause}.`)
    if (agoMs < triedForMs) await tryWrite(app)
    return probes
  },
  { itemsMax: 1000, flushesMax: 1 },
)

/** Throws if the server still cannot take a write. A login that may not make temporary tables cannot tell. */
async function tryWrite(app: App): Promise<void> {
  try {
    await writeSome.execute(app.db)
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
  }
}

/** Takes some hundred kilobytes of the disk for a moment. */
const writeSome = sql`
  do $$ begin
    create temporary table posthorn_probe on commit drop as
      select repeat(md5(n::text), 4) from generate_series(1, 2000) as n;
  end $$
`

/** The error of a refused write, for which the pool replaces its connections (`platform/sql/db.ts`). */
const refuseReadOnly = sql`
  do $$ begin
    if current_setting('transaction_read_only')::boolean then
      raise sqlstate '25006' using message = 'the database is read-only';
    end if;
  end $$
`
