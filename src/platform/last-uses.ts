import type { App } from '../context.ts'
import { perApp } from './per-app.ts'

/** Noted uses are stored every 5 s, in one statement for all. */
const flushAfterMs = 5000
/** The number of things remembered in one interval. Further ones are noted at their next use. */
const usesMax = 20_000

type Uses<Use> = { noted: Map<string, Use>; flush: Promise<void> | null; timer: NodeJS.Timeout | undefined }

/**
 * Remembers in memory when things were last used, and stores it within a few seconds, outside the request. `write`
 * moves the stored uses forward only, because other processes note the same things.
 */
export function lastUses<Thing extends { id: string }>(
  name: string,
  write: (app: App, uses: (Thing & { at: Date })[]) => Promise<void>,
) {
  const usesOf = perApp((): Uses<Thing & { at: Date }> => ({ noted: new Map(), flush: null, timer: undefined }))

  function note(app: App, thing: Thing): void {
    const uses = usesOf(app)
    if (uses.noted.size >= usesMax && !uses.noted.has(thing.id)) return
    uses.noted.set(thing.id, { ...thing, at: app.clock.now() })
    uses.timer ??= setTimeout(() => void flush(app), flushAfterMs).unref()
  }

  /** Stores the noted uses. If the database cannot be reached they stay in memory; no request depends on them. */
  async function flush(app: App): Promise<void> {
    const uses = usesOf(app)
    await uses.flush
    clearTimeout(uses.timer)
    uses.timer = undefined
    if (uses.noted.size === 0 || uses.flush) return
    uses.flush = writeNoted(app, uses)
    await uses.flush
  }

  async function writeNoted(app: App, uses: Uses<Thing & { at: Date }>): Promise<void> {
    const writing = [...uses.noted.values()]
    try {
      await write(app, writing)
      for (const use of writing) if (uses.noted.get(use.id) === use) uses.noted.delete(use.id)
    } catch (error) {
      app.log.warn({ err: error }, `last uses of ${name} not written yet`)
      uses.timer ??= setTimeout(() => void flush(app), flushAfterMs).unref()
    }
    uses.flush = null
  }

  /** Returns the last use that this process has noted, which the database may not have yet. */
  const find = (app: App, id: string): Date | null => usesOf(app).noted.get(id)?.at ?? null

  return { note, flush, find }
}
