import Type from 'typebox'
import { type Route, route } from '../../../platform/http/route.ts'
import { receiveTwilio } from './receive.ts'

const CallbackQuery = Type.Object(
  {
    message: Type.Optional(Type.String({ maxLength: 100, description: 'The id of the message that Twilio tells of.' })),
  },
  { maxProperties: 100 },
)

export const twilioRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/providers/twilio/sms',
    access: 'public',
    tag: 'Provider events',
    summary: 'Take what Twilio tells',
    description:
      'For statuses of messages, which Twilio is asked to send here, and for the messages that people write to a number: set this address as its webhook. Signed with `TWILIO_AUTH_TOKEN` over `PUBLIC_URL` and the path. Keywords such as STOP opt the number out.',
    takes: 'bytes',
    // Twilio sends from few addresses, several calls for each message.
    unlimited: true,
    query: CallbackQuery,
    response: Type.String(),
    produces: 'text/xml; charset=utf-8',
    refusals: ['unauthenticated'],
    async handle({ app, query, request, reply }) {
      const { body, url: path } = request
      const signature = request.headers['x-twilio-signature']
      const answer = await receiveTwilio(app, { path, query, body, signature })
      return reply.type('text/xml; charset=utf-8').send(answer)
    },
  }),
]
