import { isUtf8 } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '../../../context.ts'
import { forbidden, invalid, unauthenticated } from '../../../platform/errors.ts'
import { readForeignJson } from '../../../platform/http/read-foreign-json.ts'
import { applyInboundEvents } from '../../inbound/apply.ts'
import { readWebhook } from './read-webhook.ts'

/** What Meta posts: messages of customers, statuses of ours, reviews of templates. It repeats what was not answered 200. */
export async function receiveMetaWebhook(app: App, body: unknown, signature: unknown): Promise<{ received: true }> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  refuseUnsigned(app, bytes, signature)
  const payload = isUtf8(bytes) ? readForeignJson(bytes.toString('utf8')) : null
  if (payload === null) throw invalid('body', 'is required: JSON in UTF-8, as Meta sends it')
  const events = readWebhook(payload)
  if (events.length > 0) await applyInboundEvents(app, events)
  return { received: true }
}

/** HMAC-SHA256 with the application's secret over the bytes as they came. */
function refuseUnsigned({ config }: App, bytes: Buffer, signature: unknown): void {
  const secret = config.metaAppSecret
  if (secret === null) throw unauthenticated('Nothing of Meta is believed as long as META_APP_SECRET is not set.')
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`)
  const given = Buffer.from(typeof signature === 'string' ? signature : '')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw unauthenticated('X-Hub-Signature-256: is not that of the body.')
}

export type Challenge = { 'hub.mode'?: string; 'hub.verify_token'?: string; 'hub.challenge'?: string }

/** Meta asks once whether the address is ours: it is given back its challenge if it knows the token. */
export function answerChallenge({ config }: App, query: Challenge): string {
  const { 'hub.mode': mode, 'hub.verify_token': token = '', 'hub.challenge': challenge = '' } = query
  if (mode !== 'subscribe' || config.metaVerifyToken === null || !isSame(token, config.metaVerifyToken))
    throw forbidden('hub.verify_token: is not what META_VERIFY_TOKEN says.')
  return challenge
}

/** In a time that tells nothing of where they differ. */
function isSame(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map((text) => createHmac('sha256', 'compare').update(text).digest())
  return timingSafeEqual(left!, right!)
}
