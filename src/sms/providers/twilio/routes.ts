import Type from 'typebox'
import { type Route, route } from '../../../platform/http/route.ts'
import { receiveTwilio } from './receive.ts'

const CallbackQuery = Type.Object(
  {
    message: Type.Optional(Type.String({ maxLength: 100, description: 'The id of the message the status is about.' })),
  },
  { maxProperties: 100 },
)

/** The fields that are read; Twilio sends more. */
const Callback = Type.Object(
  {
    MessageSid: Type.String({ examples: ['SM00000000000000000000000000000001'] }),
    MessageStatus: Type.Optional(Type.String({ examples: ['delivered'], description: 'Of a status.' })),
    ErrorCode: Type.Optional(Type.String({ examples: ['30003'] })),
    From: Type.Optional(Type.String({ examples: ['+61491570156'] })),
    To: Type.Optional(Type.String()),
    OptOutType: Type.Optional(
      Type.String({
        description: 'What Twilio made of a keyword; it counts in place of the text.',
        examples: ['STOP'],
      }),
    ),
    Body: Type.Optional(Type.String({ description: 'Present for a message that a person wrote.', examples: ['STOP'] })),
  },
  { additionalProperties: true },
)

export const twilioRoutes: Route[] = [
  route('POST /providers/twilio/sms', 'receiveTwilioSmsEvent', {
    access: 'public',
    tag: 'Provider events',
    summary: 'Receive an event of Twilio',
    description:
      'Receives the statuses of messages, and messages to a number if this address is its webhook. Requests are signed with `TWILIO_AUTH_TOKEN` over `PUBLIC_URL` and the path. Keywords such as STOP opt the number out.',
    takes: 'bytes',
    receives: {
      schema: Callback,
      contentType: 'application/x-www-form-urlencoded',
      headers: {
        'X-Twilio-Signature':
          'The Base64 of the HMAC-SHA1 over the address and the sorted fields, with `TWILIO_AUTH_TOKEN` as the key.',
      },
    },
    // Twilio makes several calls for each message from a few addresses.
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
