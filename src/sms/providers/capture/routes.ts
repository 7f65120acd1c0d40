import Type from 'typebox'
import { type Route, route } from '../../../platform/http/route.ts'
import { Body, Nullable, Resource, TextEnum } from '../../../platform/http/schema/schema.ts'
import { developers } from '../../../teams/roles/roles.ts'
import { receiveCaptured } from './receive.ts'

const InboundSms = Body('SimulatedSms', {
  from: Type.String({
    maxLength: 100,
    description: 'The number that writes, in E.164 form.',
    examples: ['+61491570157'],
  }),
  to: Type.String({ minLength: 1, maxLength: 20, description: 'One of your senders.', examples: ['+61400000000'] }),
  body: Type.String({ maxLength: 1600, examples: ['STOP'] }),
})

export const captureRoutes: Route[] = [
  route('POST /providers/capture/sms', 'simulateSms', {
    access: 'full',
    roles: developers,
    inTest: 'apart',
    changes: 'inbox',
    tag: 'Provider events',
    summary: 'Simulate a message to one of your numbers',
    description:
      'For trying out keywords: STOP, STOPALL, UNSUBSCRIBE, CANCEL, END and QUIT opt the number out of your team; START, UNSTOP and YES opt it in, which in live mode only those do who may unblock a number. With another provider than `capture` it is for test mode only.',
    refusals: ['forbidden'],
    body: InboundSms,
    response: Resource('SimulatedSmsResult', {
      received: Type.Literal(true),
      action: Nullable(TextEnum('opted_out', 'opted_in')),
    }),
    handle: ({ app, caller, body }) => receiveCaptured(app, caller, body),
  }),
]
