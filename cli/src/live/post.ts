import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/**
 * The outcome of a POST. `status` is null without an answer. `isThere` is false if nothing took the request, and
 * `isBroken` is true if a new connection was lost before the answer.
 */
export type Posted = { status: number | null; ms: number; error: string | null; isThere: boolean; isBroken: boolean }

const answerMaxMs = 30_000

/**
 * Posts a body with exactly these headers, beside those that HTTP needs. `fetch` would add others. Redirections are not
 * followed, as webhooks do not.
 */
export function post(url: URL, headers: Record<string, string>, body: string): Promise<Posted> {
  const beganMs = performance.now()
  const passedMs = () => Math.round(performance.now() - beganMs)
  const bytes = Buffer.from(body)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', headers: { ...headers, 'content-length': bytes.length } })
    let isOpen = false
    const opened = url.protocol === 'https:' ? 'secureConnect' : 'connect'
    // A connection that is used again may have been closed since its last answer.
    sent.on('socket', (socket) => socket.once(opened, () => (isOpen = true)))
    const timer = setTimeout(() => sent.destroy(new Error(noAnswer)), answerMaxMs)
    const end = (posted: Omit<Posted, 'ms'>) => {
      clearTimeout(timer)
      resolve({ ...posted, ms: passedMs() })
    }
    sent.on('response', (response) => {
      response.resume()
      end({ status: response.statusCode ?? null, error: null, isThere: true, isBroken: false })
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isThere = error.message === noAnswer
      end({ status: null, error: wordsOf(error), isThere, isBroken: isOpen && !isThere })
    })
    sent.end(bytes)
  })
}

const noAnswer = `no answer within ${answerMaxMs / 1000} s`

/** A name that has several addresses fails with several errors, whose message is empty. */
function wordsOf({ message, code }: NodeJS.ErrnoException): string {
  return message || code || 'failed'
}
