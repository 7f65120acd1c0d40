import type { Noun } from '../platform/http/nouns.ts'
import type { JobRunner } from '../platform/jobs/runner.ts'
import { perApp } from '../platform/per-app.ts'
import { addHint, type Hint, hintFor, type Waiting } from './hint.ts'

/** The request and the events of one change arrive within this time, and are one hint. */
const soonMs = 20
/** Four hints a second. */
const spacingMs = 250

type Listener = { teamIds: readonly string[]; hear(hint: Hint): void }

type Hub = {
  /** Notes a change in this process. Without ids, anything of the noun may have changed. */
  note(teamId: string, noun: Noun, ids?: readonly string[]): void
  /** Takes in what another process has noted. */
  takeIn(teamId: string, noun: string, ids: readonly string[]): void
  /** Calls the listener at most four times a second. Returns how to stop. */
  listen(listener: Listener): () => void
  /** Sets how the other processes are told; each note is told once. */
  tellOthers(tell: (untold: Waiting) => void): void
  /** Sends what waits. */
  flush(): void
}

/** The hub of an app, owned by its `jobs`, which a `tx` has too. */
export const hubOf: (jobs: JobRunner) => Hub = perApp<Hub, JobRunner>(createHub)

/** Joins the hints of a quarter of a second. Does nothing while there is no listener here and no other process. */
function createHub(): Hub {
  const listeners = new Set<Listener>()
  let tell: ((untold: Waiting) => void) | null = null
  let waiting: Waiting = new Map()
  let untold: Waiting = new Map()
  let isTimed = false

  function takeIn(teamId: string, noun: string, ids: readonly string[]): void {
    if (listeners.size === 0) return
    addHint(waiting, teamId, noun, ids)
    sendSoon()
  }

  function sendSoon(): void {
    if (isTimed) return
    isTimed = true
    setTimeout(sendSpaced, soonMs).unref()
  }

  /** While nothing waits, the first hint is sent at once; the timer keeps the next ones apart. */
  function sendSpaced(): void {
    const isIdle = waiting.size === 0 && untold.size === 0
    flush()
    isTimed = !isIdle
    if (isTimed) setTimeout(sendSpaced, spacingMs).unref()
  }

  function flush(): void {
    const [here, there] = [waiting, untold]
    waiting = new Map()
    untold = new Map()
    if (there.size > 0) tell?.(there)
    if (here.size === 0) return
    for (const { teamIds, hear } of listeners) {
      const hint = hintFor(here, teamIds)
      if (hint) hear(hint)
    }
  }

  return {
    note(teamId, noun, ids = []) {
      takeIn(teamId, noun, ids)
      if (!tell) return
      addHint(untold, teamId, noun, ids)
      sendSoon()
    },
    takeIn,
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tellOthers(next) {
      tell = next
    },
    flush,
  }
}
