import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../context.ts'
import { invalid, unauthenticated } from '../../platform/errors.ts'
import { isSignedBody } from '../../platform/http/headers/hmac-header.ts'
import { applyInboundEvents, type InboundCounts } from './apply.ts'
import { readEvents } from './read-events.ts'

/** Receives events from a provider or a gateway in front of it. Answers after the commit; repeats change nothing. */
export function receiveEvents(app: App, request: FastifyRequest): Promise<InboundCounts> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const { whatsappWebhookSecret, whatsappWebhookSecretsPrevious } = app.config
  const secrets = whatsappWebhookSecret === null ? [] : [whatsappWebhookSecret, ...whatsappWebhookSecretsPrevious]
  if (!isSignedBody(secrets, request.headers['x-signature'], body)) {
    throw unauthenticated(
      'X-Signature: must be sha256=<hex>, the HMAC-SHA256 of the body as it is sent, with WHATSAPP_WEBHOOK_SECRET as the key.',
    )
  }
  if (!isUtf8(body)) throw invalid('body', 'is not UTF-8')
  return applyInboundEvents(app, readEvents(body.toString('utf8')))
}
