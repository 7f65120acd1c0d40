import Type from 'typebox'
import { emailRoutes } from '../emails/routes.ts'
import type { Route } from '../platform/http/route.ts'
import { routeLike, routeOfOperation } from '../platform/http/route-like.ts'
import { AnyObject } from '../platform/http/schema/schema.ts'
import { Message, MessageBatch } from './message.ts'
import { sendEndpoint, sendMessage } from './send.ts'
import { sendMessageBatch } from './send-batch.ts'

/** The sending of Postmark's API, below `/postmark`. */
export const postmarkRoutes: Route[] = [
  routeLike(routeOfOperation(emailRoutes, 'sendEmail'), {
    method: 'POST',
    path: '/postmark/email',
    body: Message,
    response: AnyObject(),
    handle: ({ app, caller, body, idempotencyKey: key }) =>
      sendMessage(app, caller!, body as Message, { key, endpoint: sendEndpoint }),
  }),
  routeLike(routeOfOperation(emailRoutes, 'sendEmailBatch'), {
    method: 'POST',
    path: '/postmark/email/batch',
    body: MessageBatch,
    response: Type.Array(AnyObject()),
    handle: ({ app, caller, body: messages, idempotencyKey: key, request }) =>
      sendMessageBatch(app, caller!, { messages: messages as unknown[], key, request }),
  }),
]
