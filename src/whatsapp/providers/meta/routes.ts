import Type from 'typebox'
import { type Route, routesOf } from '../../../platform/http/route.ts'
import { Received, Resource } from '../../../platform/http/schema/schema.ts'
import { answerChallenge, receiveMetaWebhook } from './receive.ts'

const Word = (description: string) => Type.Optional(Type.String({ maxLength: 1000, description }))

const Challenge = Type.Object(
  {
    'hub.mode': Word('Always `subscribe`.'),
    'hub.verify_token': Word('The `META_VERIFY_TOKEN`.'),
    'hub.challenge': Word('The answer that Meta waits for.'),
  },
  { maxProperties: 100 },
)

/** Meta writes up to 3 MB into one call, and repeats a call that is refused for days without shortening it. */
const bodyLimitBytes = 4 * 1024 * 1024

const route = routesOf({ access: 'public', tag: 'Provider events' })

export const metaRoutes: Route[] = [
  route('GET /providers/meta/whatsapp', 'confirmMetaWebhook', {
    summary: 'Confirm the webhook to Meta',
    description:
      'Meta calls this when the webhook is set up. Returns the challenge to a request with the `META_VERIFY_TOKEN`.',
    query: Challenge,
    response: Type.String(),
    produces: 'text/plain; charset=utf-8',
    refusals: ['forbidden'],
    handle: async ({ app, query, reply }) => reply.type('text/plain; charset=utf-8').send(answerChallenge(app, query)),
  }),
  route('POST /providers/meta/whatsapp', 'receiveMetaEvents', {
    summary: 'Receive an event of the WhatsApp Cloud API',
    description:
      'The webhook of a Meta application, with the fields `messages` and `message_template_status_update`, signed with `META_APP_SECRET`. Other fields are ignored.',
    takes: 'bytes',
    bodyLimitBytes,
    receives: {
      schema: Resource(
        'MetaEvents',
        {
          object: Type.String({ examples: ['whatsapp_business_account'] }),
          entry: Type.Array(Type.Object({}, { additionalProperties: true, description: 'Changes of one account.' })),
        },
        { additionalProperties: true },
      ),
      headers: {
        'X-Hub-Signature-256':
          '`sha256=` and the HMAC-SHA256 of the body in hexadecimal, with `META_APP_SECRET` as the key.',
      },
    },
    // Meta makes several calls for each message from a few addresses.
    unlimited: true,
    response: Received,
    refusals: ['unauthenticated'],
    handle: ({ app, request }) => receiveMetaWebhook(app, request.body, request.headers['x-hub-signature-256']),
  }),
]
