import type { KeyObject } from 'node:crypto'
import type { App } from '../../context.ts'
import { version } from '../../version.ts'
import { isOwnMachine } from '../endpoint-url.ts'
import { answerText } from './answer-text.ts'
import { signedHeaders } from './sign.ts'
import type { Due } from './take.ts'

export type Attempted = {
  due: Due
  url: string
  at: Date
  delivered: boolean
  durationMs: number
  /** Null if no answer came. */
  statusCode: number | null
  /** Why no answer came; null if one did. */
  error: string | null
  /** The beginning of the answer. */
  body: string | null
}

/** Longer than any reason, except for those that quote a long URL. */
const errorLengthMax = 500

/**
 * Only the status of an answer counts; its beginning is shown with the attempt. A longer answer closes the connection.
 */
const answerMaxBytes = 1024
const answerMaxMs = 1000

const userAgent = `Posthorn/${version}`

/** Posts a delivery once. A redirect is not followed and counts as a failure. */
export async function attemptDelivery(app: App, url: string, keys: KeyObject[], due: Due): Promise<Attempted> {
  const at = app.clock.now()
  const signed = signedHeaders(keys, due.id, Math.floor(at.getTime() / 1000), due.payload)
  const toLoopback = isOwnMachine(app, url)
  const began = performance.now()
  const answer = await app.egress.request({
    teamId: due.teamId,
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...signed },
    body: due.payload,
    timeoutMs: app.config.webhookTimeoutMs,
    bodyMaxBytes: answerMaxBytes,
    bodyMaxMs: answerMaxMs,
    toLoopback,
    protocols: toLoopback ? ['http:'] : ['https:'],
  })
  const durationMs = Math.round(performance.now() - began)
  const statusCode = answer.kind === 'answered' ? answer.status : null
  const delivered = statusCode !== null && statusCode >= 200 && statusCode < 300
  const error = answer.kind === 'answered' ? null : answer.reason.slice(0, errorLengthMax).toWellFormed()
  const body = answer.kind === 'answered' ? answerText(answer.body) : null
  return { due, url, at, durationMs, statusCode, delivered, error, body }
}
