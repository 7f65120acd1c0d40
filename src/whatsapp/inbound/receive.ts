import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../context.ts'
import { invalid } from '../../platform/errors.ts'
import { applyInboundEvents, type InboundCounts } from './apply.ts'
import { readEvents } from './read-events.ts'
import { refuseUnsigned } from './verify-signature.ts'

/** Receives events from a provider or a gateway in front of it. Answers after the commit; repeats change nothing. */
export function receiveEvents(app: App, request: FastifyRequest): Promise<InboundCounts> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const { whatsappWebhookSecret, whatsappWebhookSecretsPrevious } = app.config
  const secrets = whatsappWebhookSecret === null ? [] : [whatsappWebhookSecret, ...whatsappWebhookSecretsPrevious]
  refuseUnsigned(secrets, request.headers['x-signature'], body)
  if (!isUtf8(body)) throw invalid('body', 'is not UTF-8')
  return applyInboundEvents(app, readEvents(body.toString('utf8')))
}
