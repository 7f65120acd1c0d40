import type { Agent, Dispatcher } from 'undici'
import type { Connection, Waiting } from './connection.ts'

export type Answered = {
  kind: 'answered'
  status: number
  /** Names are in lower case. The values of a repeated header are joined by a comma and a blank. */
  headers: Record<string, string>
  /** The values of each `set-cookie`, which cannot be told apart when they are joined. */
  setCookies: string[]
  body: Buffer
  /** True if the body was longer than what was kept. */
  truncated: boolean
}

type Bounds = {
  teamId: string | undefined
  timeoutMs: number
  bodyMaxBytes: number
  bodyMaxMs: number | undefined
  hasRoom: ((sizeBytes: number) => boolean) | undefined
  signal: AbortSignal | undefined
  /** Called once a connection is made and before the first byte: until then nothing can have arrived. */
  onLeave(): void
}

/**
 * Sends one request and reads its whole answer. Rejects if the connection breaks, the time runs out or `signal` is
 * aborted, and then closes the connection, also during the handshake. It uses the client's plain events, since streams
 * would cost more than the request.
 */
export function exchange(agent: Agent, request: Dispatcher.DispatchOptions, bounds: Bounds): Promise<Answered> {
  const { teamId, bodyMaxBytes, bodyMaxMs, hasRoom, signal, onLeave } = bounds
  return new Promise<Answered>((resolve, reject) => {
    if (signal?.aborted) return reject(brokenOff())
    let connection: Connection | undefined
    let controller: Dispatcher.DispatchController | undefined
    let ended: Error | undefined
    const release = endBy(bounds, end)
    const answer: Answered = {
      kind: 'answered',
      status: 0,
      headers: {},
      setCookies: [],
      body: Buffer.alloc(0),
      truncated: false,
    }
    const chunks: Buffer[] = []
    let left = bodyMaxBytes
    let bodyTimer: NodeJS.Timeout | undefined
    let isSettled = false

    function end(reason: Error): void {
      ended = reason
      if (isDecided()) return void cut()
      release()
      if (controller) controller.abort(reason)
      else connection?.cut(reason)
      reject(reason)
    }
    function whole(): void {
      isSettled = true
      release()
      clearTimeout(bodyTimer)
      answer.body = Buffer.concat(chunks)
      resolve(answer)
    }
    /** Ends an answer of whose body the rest is not read, so that the connection cannot be used again. */
    function cut(): void {
      if (isSettled) return
      answer.truncated = true
      whole()
      controller?.abort(new Error('The rest of the body is not read.'))
    }
    function isDecided(): boolean {
      return bodyMaxMs !== undefined && answer.status >= 200
    }
    const events: Waiting = {
      teamId,
      onTurn(given) {
        connection = given
        return ended === undefined
      },
      onRequestStart(given) {
        // Throwing here keeps a connection to which nothing was written.
        if (ended) throw ended
        controller = given
        onLeave()
      },
      onResponseStart(_controller, status, headers) {
        answer.status = status
        answer.headers = plain(headers)
        answer.setCookies = [headers['set-cookie'] ?? []].flat()
        if (isDecided()) bodyTimer = setTimeout(cut, bodyMaxMs).unref()
      },
      onResponseData(_controller, chunk) {
        if (answer.truncated || ended) return
        if (hasRoom && !hasRoom(Math.min(left, chunk.length))) return end(brokenOff())
        chunks.push(chunk.subarray(0, left))
        answer.truncated = chunk.length > left
        left -= Math.min(left, chunk.length)
        if (answer.truncated) cut()
      },
      onResponseEnd: whole,
      onResponseError(_controller, error) {
        if (isDecided()) return cut()
        release()
        reject(error)
      },
    }
    agent.dispatch(request, events)
  })
}

/** Calls `end` when the time is up or the signal is aborted. Returns a function that stops this. */
function endBy({ timeoutMs, signal }: Bounds, end: (reason: Error) => void): () => void {
  const timer = setTimeout(() => end(new DOMException('The time is up.', 'TimeoutError')), timeoutMs).unref()
  if (!signal) return () => clearTimeout(timer)
  const breakOff = () => end(brokenOff())
  signal.addEventListener('abort', breakOff)
  return () => {
    clearTimeout(timer)
    // The signal may outlive many requests.
    signal.removeEventListener('abort', breakOff)
  }
}

function brokenOff(): Error {
  return new DOMException('The request was broken off.', 'AbortError')
}

function plain(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  )
  return Object.fromEntries(entries)
}
