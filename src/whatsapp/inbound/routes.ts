import Type from 'typebox'
import { type Route, route } from '../../platform/http/route.ts'
import { receiveEvents } from './receive.ts'

const Count = (description: string) => Type.Integer({ description })

export const inboundRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v1/whatsapp/webhooks/inbound',
    access: 'public',
    tag: 'Provider events',
    summary: 'Take WhatsApp events',
    description: `Signed: \`X-Signature: sha256=<hex>\` is the HMAC-SHA256 of the body as it is sent, with \`WHATSAPP_WEBHOOK_SECRET\` as the key. The body is \`{"events": […]}\` with 1000 events at most, each one of

- \`{"type": "message", "phoneNumberId", "from", "text", "providerMessageId"}\`, and where it is known \`contactName\` and \`timestamp\`
- \`{"type": "status", "providerMessageId", "status": "sent" | "delivered" | "read" | "failed"}\`, and where there is more to tell \`data\`
- \`{"type": "template_status", "wabaId", "templateName", "language", "status": "approved" | "rejected" | "disabled"}\`, and where there is one \`reason\`

All of them are applied or none. Repeats change nothing, whatever their order.`,
    takes: 'bytes',
    // A provider sends from few addresses, several events for each message.
    unlimited: true,
    response: Type.Object({
      received: Count('Events in the body.'),
      processed: Count('Those that changed something.'),
      duplicates: Count('Those that were known.'),
      ignored: Count('Those of numbers, messages or templates that are not here.'),
    }),
    refusals: ['unauthenticated'],
    handle: ({ app, request }) => receiveEvents(app, request),
  }),
]
