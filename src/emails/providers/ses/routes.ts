import { type Route, route } from '../../../platform/http/route.ts'
import { Received } from '../../../platform/http/schema/schema.ts'
import { SnsMessage } from '../../../platform/sns/schema.ts'
import { receiveSesEvent } from './record-event.ts'

export const sesRoutes: Route[] = [
  route('POST /providers/ses/events', 'receiveSesEvent', {
    access: 'public',
    tag: 'Provider events',
    summary: 'Receive an event of Amazon SES',
    description:
      'The endpoint of an Amazon SNS subscription. Accepts correctly signed messages of the topics in `SES_TOPIC_ARNS` and confirms subscriptions to them.',
    takes: 'bytes',
    // SNS posts JSON as text.
    receives: { schema: SnsMessage, contentType: 'text/plain' },
    // Amazon sends several events for each email from a few addresses.
    unlimited: true,
    response: Received,
    refusals: ['unauthenticated'],
    handle: ({ app, request }) => receiveSesEvent(app, request.body),
  }),
]
