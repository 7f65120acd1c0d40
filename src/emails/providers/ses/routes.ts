import Type from 'typebox'
import { type Route, route } from '../../../platform/http/route.ts'
import { receiveSesEvent } from './receive.ts'

export const sesRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/providers/ses/events',
    access: 'public',
    tag: 'Provider events',
    summary: 'Take an event of Amazon SES',
    description:
      'For subscriptions of Amazon SNS: messages of the topics in `SES_TOPIC_ARNS` whose signature is good. Subscriptions to these topics are confirmed.',
    takes: 'bytes',
    // Amazon sends from few addresses, several for each email.
    unlimited: true,
    response: Type.Object({ received: Type.Boolean() }),
    refusals: ['unauthenticated'],
    handle: ({ app, request }) => receiveSesEvent(app, request.body),
  }),
]
