import { isUtf8 } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '../../../context.ts'
import { settingsOf } from '../../../platform/environment/settings.ts'
import { forbidden, invalid, unauthenticated } from '../../../platform/errors.ts'
import { readForeignJson } from '../../../platform/http/body/read-foreign-json.ts'
import { isSignedBody } from '../../../platform/http/headers/hmac-header.ts'
import { applyInboundEvents } from '../../inbound/apply.ts'
import { readWebhook } from './read-webhook.ts'
import { metaSettings } from './settings.ts'

/**
 * Receives customers' messages, statuses of ours and template reviews. Meta repeats calls that are not answered with
 * 200.
 */
export async function receiveMetaWebhook(app: App, body: unknown, signature: unknown): Promise<{ received: true }> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  refuseUnsigned(app, bytes, signature)
  const payload = isUtf8(bytes) ? readForeignJson(bytes.toString('utf8')) : null
  if (payload === null) throw invalid('body', 'must be JSON in UTF-8, as Meta sends it')
  const events = readWebhook(payload)
  if (events.length > 0) await applyInboundEvents(app, events)
  return { received: true }
}

/** Verifies the HMAC-SHA256 of the raw body with the application's secret. */
function refuseUnsigned({ config }: App, bytes: Buffer, signature: unknown): void {
  const { appSecret: secret } = settingsOf(config, metaSettings)
  if (secret === null) throw unauthenticated('Requests of Meta are refused until META_APP_SECRET is set.')
  if (!isSignedBody([secret], signature, bytes)) throw unauthenticated('X-Hub-Signature-256: does not match the body.')
}

type Challenge = { 'hub.mode'?: string; 'hub.verify_token'?: string; 'hub.challenge'?: string }

/** Confirms the webhook's address: returns Meta's challenge if the request has the right verify token. */
export function answerChallenge({ config }: App, query: Challenge): string {
  const { 'hub.mode': mode, 'hub.verify_token': token = '', 'hub.challenge': challenge = '' } = query
  const { verifyToken } = settingsOf(config, metaSettings)
  if (mode !== 'subscribe' || verifyToken === null || !isSame(token, verifyToken))
    throw forbidden('hub.verify_token: does not match META_VERIFY_TOKEN.')
  return challenge
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map((text) => createHmac('sha256', 'compare').update(text).digest())
  return timingSafeEqual(left!, right!)
}
