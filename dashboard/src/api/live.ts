import { applyHint, everyNoun } from './client.ts'
import { type Hint, joinHints } from './keys.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { get } from './request.ts'

/** While much changes, hints are applied this often. A mail is then on screen within a second. */
const applyEveryMs = 800
/** A change or two are shown at once: one mail makes hints of several nouns, which come one after the other. */
const atOnceMax = 3
const longestWaitMs = 30_000
/** The first screen is drawn before it is fetched again. */
const openedAfterMs = 400
/** Said to the other tabs when the stream is open: what changed before, or while it was broken, was not heard. */
const opened = 'opened'
/** Said to the other tabs when the stream is refused, such as after the session has ended. */
const refused = 'refused'

/**
 * Hears what changes. One tab of the browser holds the stream, since a browser opens only six connections to a host;
 * the others hear it by `BroadcastChannel`. When that tab is closed, the next one gets the lock. A tab hears the others
 * before its first request, so that no change is missed. `hold` takes part in holding the stream, and returns how to
 * stop.
 */
export function hearLive(): { hold: () => () => void } {
  const channel = new BroadcastChannel('posthorn-live')
  const { hear, applySoon } = gatherHints()
  channel.onmessage = ({ data }) => {
    if (data === refused) void askIfSignedIn()
    else hear(data === opened ? everyNoun() : (data as Hint))
  }
  document.addEventListener('visibilitychange', applySoon)
  function hold() {
    const ended = new AbortController()
    const holdThis = () => holdStream(channel, hear, ended.signal)
    if (navigator.locks) {
      navigator.locks.request('posthorn-live', { signal: ended.signal }, holdThis).catch(() => undefined)
    } else {
      // Locks exist only on https and localhost. Elsewhere each tab holds its own stream.
      void holdThis()
    }
    return () => ended.abort()
  }
  return { hold }
}

/** Resolves when live updates are stopped. */
function holdStream(channel: BroadcastChannel, hear: (hint: Hint) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource | undefined
    let waitMs = 1000
    let retry: ReturnType<typeof setTimeout> | undefined
    let afterOpening: ReturnType<typeof setTimeout> | undefined
    const open = () => {
      source = new EventSource('/v1/live')
      source.onopen = () => {
        waitMs = 1000
        afterOpening = setTimeout(() => {
          hear(everyNoun())
          channel.postMessage(opened)
        }, openedAfterMs)
      }
      source.onmessage = ({ data }) => {
        const hint = readHint(data)
        hear(hint)
        channel.postMessage(hint)
      }
      source.onerror = () => {
        // The browser repeats only broken connections, not refused ones.
        if (source?.readyState !== EventSource.CLOSED) return
        void askIfSignedIn()
        channel.postMessage(refused)
        retry = setTimeout(open, waitMs)
        waitMs = Math.min(waitMs * 2, longestWaitMs)
      }
    }
    open()
    signal.addEventListener('abort', () => {
      clearTimeout(retry)
      clearTimeout(afterOpening)
      source?.close()
      resolve()
    })
  })
}

/**
 * Makes a request that needs the session, so that a page whose session has ended says so, and not only when something
 * is done there. A stream does not tell why it is refused.
 */
const askIfSignedIn = oneAtATime(async () => {
  await get('/auth/me').catch(() => undefined)
})

function readHint(data: string): Hint {
  try {
    return (JSON.parse(data) as { changed?: Hint }).changed ?? {}
  } catch {
    return {}
  }
}

/** Gathers hints, and applies them together while the page is shown. */
function gatherHints() {
  let waiting: Hint = {}
  let timer: ReturnType<typeof setTimeout> | undefined
  // The time at which all of `atOnceMax` are free again. Each one that is used moves it by `applyEveryMs`.
  let allFreeMs = 0
  function apply() {
    timer = undefined
    allFreeMs = Math.max(allFreeMs, performance.now()) + applyEveryMs
    const hint = waiting
    waiting = {}
    applyHint(hint)
  }
  function applySoon() {
    if (document.hidden || timer !== undefined || Object.keys(waiting).length === 0) return
    timer = setTimeout(apply, Math.max(0, allFreeMs - (atOnceMax - 1) * applyEveryMs - performance.now()))
  }
  function hear(hint: Hint) {
    waiting = joinHints(waiting, hint)
    applySoon()
  }
  return { hear, applySoon }
}
