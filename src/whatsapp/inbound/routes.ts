import Type from 'typebox'
import { type Route, route } from '../../platform/http/route.ts'
import { Resource } from '../../platform/http/schema/schema.ts'
import { receiveEvents } from './receive.ts'
import { InboundEvents } from './schema.ts'

const Count = (description: string) => Type.Integer({ description })

export const inboundRoutes: Route[] = [
  route('POST /v1/whatsapp/webhooks/inbound', 'receiveWhatsappEvents', {
    access: 'public',
    tag: 'Provider events',
    summary: 'Take WhatsApp events',
    description:
      'Takes at most 1000 events, and applies all of them or none. Repeats change nothing, whatever their order.',
    takes: 'bytes',
    receives: {
      schema: InboundEvents,
      headers: {
        'X-Signature':
          '`sha256=` and the HMAC-SHA256 of the body in hexadecimal, with `WHATSAPP_WEBHOOK_SECRET` as the key.',
      },
    },
    // A provider sends several events for each message from a few addresses.
    unlimited: true,
    response: Resource('WhatsappEventsResult', {
      received: Count('Events in the body.'),
      processed: Count('Those that changed something.'),
      duplicates: Count('Those that were known.'),
      ignored: Count('Those of numbers, messages or templates that are not here.'),
    }),
    refusals: ['unauthenticated'],
    handle: ({ app, request }) => receiveEvents(app, request),
  }),
]
