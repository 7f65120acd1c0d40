import Type from 'typebox'
import { type Route, route } from '../../../platform/http/route.ts'
import { answerChallenge, receiveMetaWebhook } from './receive.ts'

const Word = Type.Optional(Type.String({ maxLength: 1000 }))

const Challenge = Type.Object(
  { 'hub.mode': Word, 'hub.verify_token': Word, 'hub.challenge': Word },
  { maxProperties: 100 },
)

export const metaRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/providers/meta/whatsapp',
    access: 'public',
    tag: 'Provider events',
    summary: 'Confirm the webhook to Meta',
    description: 'Answers the challenge to who knows `META_VERIFY_TOKEN`, as Meta does when the webhook is set up.',
    query: Challenge,
    response: Type.String(),
    produces: 'text/plain; charset=utf-8',
    refusals: ['forbidden'],
    handle: async ({ app, query, reply }) => reply.type('text/plain; charset=utf-8').send(answerChallenge(app, query)),
  }),
  route({
    method: 'POST',
    path: '/providers/meta/whatsapp',
    access: 'public',
    tag: 'Provider events',
    summary: 'Take what the WhatsApp Cloud API tells',
    description:
      'For the webhook of a Meta application, with the fields `messages` and `message_template_status_update`; signed with `META_APP_SECRET`. What it tells beyond these is passed over.',
    takes: 'bytes',
    // Meta sends from few addresses, several calls for each message.
    unlimited: true,
    response: Type.Object({ received: Type.Boolean() }),
    refusals: ['unauthenticated'],
    handle: ({ app, request }) => receiveMetaWebhook(app, request.body, request.headers['x-hub-signature-256']),
  }),
]
