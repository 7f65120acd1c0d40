import type { Agent, Dispatcher } from 'undici'

export type Answered = {
  kind: 'answered'
  status: number
  /** Names in lower case; of a repeated one the values joined by a comma and a blank. */
  headers: Record<string, string>
  body: Buffer
  /** The body went on beyond what is kept. */
  truncated: boolean
}

export type Bounds = {
  timeoutMs: number
  bodyMaxBytes: number
  /** Called once a connection stands and before the first byte: until then nothing can have arrived. */
  onLeave(): void
}

/**
 * One request and its whole answer. Rejects where the connection breaks, or the time runs out before the end of the
 * body. On the client's bare events: streams and signals for each request would cost more than the request.
 */
export function exchange(
  agent: Agent,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, bodyMaxBytes, onLeave }: Bounds,
) {
  return new Promise<Answered>((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let ended: Error | undefined
    // The client heeds an end once a connection stands; the time to make one, or to wait for one, is bounded all the same.
    const timer = setTimeout(() => end(new DOMException('The time is up.', 'TimeoutError')), timeoutMs).unref()
    const answer: Answered = { kind: 'answered', status: 0, headers: {}, body: Buffer.alloc(0), truncated: false }
    const chunks: Buffer[] = []
    let left = bodyMaxBytes

    function end(reason: Error): void {
      ended = reason
      controller?.abort(reason)
      reject(reason)
    }
    function whole(): void {
      clearTimeout(timer)
      answer.body = Buffer.concat(chunks)
      resolve(answer)
    }
    agent.dispatch(request, {
      onRequestStart(given) {
        controller = given
        if (ended) given.abort(ended)
        else onLeave()
      },
      onResponseStart(_controller, status, headers) {
        answer.status = status
        answer.headers = plain(headers)
      },
      onResponseData(_controller, chunk) {
        if (answer.truncated) return
        chunks.push(chunk.subarray(0, left))
        answer.truncated = chunk.length > left
        left -= Math.min(left, chunk.length)
        if (!answer.truncated) return
        // The rest is not read, and so the connection is of no more use.
        whole()
        controller?.abort(new Error('The rest of the body is not read.'))
      },
      onResponseEnd: whole,
      onResponseError(_controller, error) {
        clearTimeout(timer)
        reject(error)
      },
    })
  })
}

function plain(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  )
  return Object.fromEntries(entries)
}
