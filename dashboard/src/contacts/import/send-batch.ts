import type { Posts } from '../../api/endpoints.ts'
import { Refusal, Unreachable } from '../../api/refusal.ts'
import { post } from '../../api/request.ts'
import type { Mapping } from '../csv/columns.ts'
import type { Reader } from '../reader/open.ts'

export type Work = { reader: Reader; rows: number; mapping: Mapping; segmentId: string }

/** How far an import is. With its `key`, the repeat of a request whose answer was lost gets that answer. */
export type Place = { key: string; done: number }

type Answer = Posts['/v1/contacts/import']['answer']

const waitMs = 3000
/** The server is busy, or a proxy in front of it does not reach it. */
const passing = [429, 502, 503, 504]

/**
 * Sends the rows from this place on. `done` is the record to go on with. Null if the reader stops it while the server
 * can't be reached or is busy. `onWait` is told of each such attempt.
 */
export async function sendBatch(
  { reader, mapping, segmentId }: Work,
  { key, done: from }: Place,
  signal: AbortSignal,
  onWait: () => void,
) {
  const { contacts, at, refused, next } = await reader.ask('batch', { from, mapping })
  const body = { contacts, ...(segmentId && { segmentId }) }
  const isEmpty = contacts.length === 0
  const answer = isEmpty ? nothing : await sendUntilTaken(body, `${key}-${from}`, signal, onWait)
  if (!answer) return null
  const { created, updated, skipped, errors } = answer
  const named = errors.map(({ index, message }) => ({ index: at[index]!, reason: message }))
  return { done: next, created, updated, unchanged: skipped - errors.length, refused: [...refused, ...named] }
}

const nothing: Answer = { created: 0, updated: 0, skipped: 0, errors: [] }

async function sendUntilTaken(
  body: Posts['/v1/contacts/import']['body'],
  key: string,
  signal: AbortSignal,
  onWait: () => void,
): Promise<Answer | null> {
  while (!signal.aborted) {
    try {
      // A request that is on its way is awaited when the reader stops, so that its rows are counted.
      return await post('/v1/contacts/import', { body }, { headers: { 'Idempotency-Key': key } })
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 0
      if (!passing.includes(status) && !(error instanceof Unreachable)) throw error
      onWait()
      const seconds = error instanceof Refusal ? error.retryAfter : null
      await pause(seconds === null ? waitMs : seconds * 1000, signal)
    }
  }
  return null
}

/** Ends at once when the reader stops. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}
