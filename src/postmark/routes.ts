import Type from 'typebox'
import { emailRoutes } from '../emails/routes.ts'
import type { Route } from '../platform/http/route.ts'
import { routeLike } from '../platform/http/route-like.ts'
import { AnyObject } from '../platform/http/schema/schema.ts'
import { Message, MessageBatch } from './message.ts'
import { sendEndpoint, sendMessage } from './send.ts'
import { sendMessageBatch } from './send-batch.ts'

const own = (operation: string) => emailRoutes.find(({ operationId }) => operationId === operation)!

/** The sending of Postmark's API, below `/postmark`. */
export const postmarkRoutes: Route[] = [
  routeLike(own('sendEmail'), {
    method: 'POST',
    path: '/postmark/email',
    body: Message,
    response: AnyObject(),
    handle: ({ app, caller, body, idempotencyKey: key }) =>
      sendMessage(app, caller!, body as Message, { key, endpoint: sendEndpoint }),
  }),
  routeLike(own('sendEmailBatch'), {
    method: 'POST',
    path: '/postmark/email/batch',
    body: MessageBatch,
    response: Type.Array(AnyObject()),
    handle: ({ app, caller, body: messages, idempotencyKey: key, request }) =>
      sendMessageBatch(app, caller!, { messages: messages as unknown[], key, request }),
  }),
]
