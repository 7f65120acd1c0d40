import type { KeyObject } from 'node:crypto'
import type { App } from '../../context.ts'
import { version } from '../../version.ts'
import { signedHeaders } from './sign.ts'
import type { Due } from './take.ts'

export type Attempted = {
  due: Due
  at: Date
  delivered: boolean
  durationMs: number
  /** Null if no answer came. */
  statusCode: number | null
}

/** Only the status of an answer counts. A longer answer closes the connection. */
const answerMaxBytes = 16 * 1024

const userAgent = `Posthorn/${version}`

/** Posts a delivery once. A redirect is not followed and counts as a failure. */
export async function attemptDelivery(app: App, url: string, keys: KeyObject[], due: Due): Promise<Attempted> {
  const at = app.clock.now()
  const signed = signedHeaders(keys, due.id, Math.floor(at.getTime() / 1000), due.payload)
  const began = performance.now()
  const answer = await app.egress.request({
    teamId: due.teamId,
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...signed },
    body: due.payload,
    timeoutMs: app.config.webhookTimeoutMs,
    bodyMaxBytes: answerMaxBytes,
    protocols: ['https:'],
  })
  const durationMs = Math.round(performance.now() - began)
  const statusCode = answer.kind === 'answered' ? answer.status : null
  return { due, at, durationMs, statusCode, delivered: statusCode !== null && statusCode >= 200 && statusCode < 300 }
}
