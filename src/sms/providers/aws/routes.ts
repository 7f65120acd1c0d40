import Type from 'typebox'
import { type Route, route } from '../../../platform/http/route.ts'
import { receiveAwsSms } from './receive.ts'

export const awsSmsRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/providers/aws/sms',
    access: 'public',
    tag: 'Provider events',
    summary: 'Take what AWS End User Messaging tells',
    description:
      'For subscriptions of Amazon SNS: messages of the topics in `SMS_AWS_TOPIC_ARNS` whose signature is good, both events of a configuration set and what people write to a number (two-way SMS). Subscriptions to these topics are confirmed. Keywords such as STOP opt the number out.',
    takes: 'bytes',
    // Amazon sends from few addresses, several for each message.
    unlimited: true,
    response: Type.Object({ received: Type.Boolean() }),
    refusals: ['unauthenticated'],
    handle: ({ app, request }) => receiveAwsSms(app, request.body),
  }),
]
