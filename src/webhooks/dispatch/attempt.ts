import { TextDecoder } from 'node:util'
import type { App } from '../../context.ts'
import { version } from '../../version.ts'
import { isOwnMachine } from '../endpoint-url.ts'
import type { SigningKey } from '../signing-secret.ts'
import type { SignatureScheme } from '../table.ts'
import { signedHeaders } from './sign.ts'
import type { Due } from './take.ts'

export type AttemptedDelivery = {
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

/** The headers of every delivery, beside those that sign it. */
export const usualHeaders = { 'content-type': 'application/json', 'user-agent': `Posthorn/${version}` }

type Target = { url: string; keys: SigningKey[]; scheme: SignatureScheme }

/** Posts a delivery once. A redirect is not followed and counts as a failure. */
export async function attemptDelivery(app: App, { url, keys, scheme }: Target, due: Due): Promise<AttemptedDelivery> {
  const at = app.clock.now()
  const timestamp = Math.floor(at.getTime() / 1000)
  const signed = signedHeaders(keys, { id: due.id, timestamp, body: due.payload, scheme })
  const toLoopback = isOwnMachine(app, url)
  const began = performance.now()
  const answer = await app.egress.request({
    teamId: due.teamId,
    url,
    method: 'POST',
    headers: { ...usualHeaders, ...signed },
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

/** Enough for an error message, and all that is read. A delivery may keep six of them in its row. */
const keptBytes = answerMaxBytes

/**
 * Returns the beginning of an answer's body as text of at most 1 KiB that PostgreSQL can store. Null for an empty body.
 */
function answerText(body: Buffer): string | null {
  if (body.length === 0) return null
  // Each byte that is not UTF-8 becomes a character of three bytes, so the text is cut a second time.
  return cut(Buffer.from(cut(body).replaceAll('\0', '\ufffd')))
}

/** Leaves a character out whose bytes are cut off. */
function cut(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, keptBytes), { stream: true })
}
