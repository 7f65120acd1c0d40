import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../context.ts'
import { perApp } from '../platform/per-app.ts'
import { buildDashboard } from './build/run.ts'
import { buildFolder, hashSources, stampSources } from './build/sources.ts'
import { type Asset, type Bundle, readBundle } from './bundle.ts'

type Attempt = {
  bundle: Promise<Bundle>
  /** The answer of `stampSources` as it began. */
  stamp: Promise<string>
  /** When it failed; null if it has not. */
  failedAtMs: number | null
}

/** A failed build may have been short of memory, so it is repeated, but not for every request. */
const repeatAfterMs = 10_000

type State = {
  attempt: Attempt | null
  /** The last build before it that worked: its pages may still be open. */
  earlier: Bundle | null
  /** Ends a build that is under way. */
  stop: AbortController
}

const stateOf = perApp((): State => ({ attempt: null, earlier: null, stop: new AbortController() }))

/**
 * Returns the build of the current sources, and makes it if there is none. Outside production it looks whether the
 * sources have changed. Throws if the build fails, `BuildError` if the sources are at fault.
 */
export async function currentBundle(app: App): Promise<Bundle> {
  const state = stateOf(app)
  const last = state.attempt
  if (last && (await isStale(app, last))) {
    const worked = await last.bundle.catch(() => null)
    // Another request may have begun meanwhile.
    if (state.attempt === last) {
      state.earlier = worked ?? state.earlier
      state.attempt = begin(app)
    }
  }
  state.attempt ??= begin(app)
  return state.attempt.bundle
}

/**
 * Begins to build, so that the first page need not wait for it. Returns at once; a failure is logged, and told at
 * `/app`.
 */
export function prepareDashboard(app: App): void {
  if (app.config.dashboard === 'off' || !app.config.roles.includes('api')) return
  stateOf(app).attempt ??= begin(app)
}

/** Ends a build that is under way. */
export async function stopDashboard(app: App): Promise<void> {
  stateOf(app).stop.abort()
}

/**
 * Returns a file of the current build or the one before it; null if neither has it. Waits for a build that is under
 * way.
 */
export async function findAsset(app: App, name: string): Promise<Asset | null> {
  const state = stateOf(app)
  state.attempt ??= begin(app)
  const bundle = await state.attempt.bundle.catch(() => null)
  return bundle?.assets.get(name) ?? state.earlier?.assets.get(name) ?? null
}

async function isStale(app: App, { stamp, failedAtMs }: Attempt): Promise<boolean> {
  if (failedAtMs !== null && app.clock.now().getTime() - failedAtMs >= repeatAfterMs) return true
  return !app.config.production && (await stampSources()) !== (await stamp)
}

function begin(app: App): Attempt {
  const { stop } = stateOf(app)
  const stamp = stampSources().catch(() => '')
  const attempt: Attempt = { bundle: findOrBuild(stop.signal), stamp, failedAtMs: null }
  attempt.bundle.catch((error) => {
    attempt.failedAtMs = app.clock.now().getTime()
    if (!stop.signal.aborted) app.log.error({ err: error }, 'the dashboard could not be built; everything else works')
  })
  return attempt
}

/** Reads the build of the sources as they are, or makes it. */
export async function findOrBuild(stop: AbortSignal): Promise<Bundle> {
  const hash = await hashSources()
  const known = await readBundle(join(buildFolder, hash))
  if (known) return known
  const { folder, isTemporary } = await buildDashboard(hash, stop)
  const built = await readBundle(folder)
  if (isTemporary) await rm(folder, { recursive: true, force: true })
  if (!built) throw new Error(`The build in ${folder} was removed before it was read.`)
  return built
}
