import { type Route, route } from '../../../platform/http/route.ts'
import { Received } from '../../../platform/http/schema/schema.ts'
import { SnsMessage } from '../../../platform/sns/schema.ts'
import { receiveAwsSms } from './receive.ts'

export const awsRoutes: Route[] = [
  route('POST /providers/aws/sms', 'receiveAwsSmsEvent', {
    access: 'public',
    tag: 'Provider events',
    summary: 'Receive an event of AWS End User Messaging',
    description:
      'The endpoint of an Amazon SNS subscription. Accepts correctly signed messages of the topics in `SMS_AWS_TOPIC_ARNS`: events of a configuration set, and messages to a number (two-way SMS). Confirms subscriptions to these topics. Keywords such as STOP opt the number out.',
    takes: 'bytes',
    // SNS posts JSON as text.
    receives: { schema: SnsMessage, contentType: 'text/plain' },
    // Amazon sends several events for each message from a few addresses.
    unlimited: true,
    response: Received,
    refusals: ['unauthenticated'],
    handle: ({ app, request }) => receiveAwsSms(app, request.body),
  }),
]
