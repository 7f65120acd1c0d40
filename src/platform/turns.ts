/**
 * Spreads long pieces of work over the turns of the event loop: each waits here before it begins, and one begins a turn.
 * Without this, requests that arrive together would be worked off in one turn, and whoever asks something small would wait
 * for all of them.
 */
export function takeTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  if (waiting.length === 1) setImmediate(next)
  return promise
}

/** Bounded by what waits: requests whose bodies are held, and messages under way. */
const waiting: (() => void)[] = []

function next(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(next)
}

/** From here on a piece of work takes milliseconds. */
export const longWorkBytes = 128 * 1024
