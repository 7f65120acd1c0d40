/**
 * Waits for a turn of the event loop, in each of which one piece of long work begins. Otherwise requests that arrive
 * together would be processed in one turn, and small requests would wait for all of them. Does not count running work,
 * since the work is synchronous.
 */
export function takeTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  if (waiting.length === 1) setImmediate(next)
  return promise
}

/** Its callers limit its length: requests whose bodies are counted, and messages that are being sent. */
const waiting: (() => void)[] = []

function next(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(next)
}

/** Work on this many bytes or more takes milliseconds. */
export const longWorkBytes = 128 * 1024
