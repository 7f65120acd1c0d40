import Type from 'typebox'
import { type Route, route } from '../../../platform/http/route.ts'
import { Nullable, Strict, TextEnum } from '../../../platform/http/schema.ts'
import { receiveCaptured } from './receive.ts'

const InboundSms = Strict({
  from: Type.String({ maxLength: 100, description: 'Who writes, E.164.', examples: ['+61491570156'] }),
  to: Type.String({ minLength: 1, maxLength: 20, description: 'One of your senders.', examples: ['+61400000000'] }),
  body: Type.String({ maxLength: 1600, examples: ['STOP'] }),
})

export const captureSmsRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/providers/capture/sms',
    access: 'full',
    tag: 'Provider events',
    summary: 'Play a message that somebody writes to one of your numbers',
    description:
      'For trying out keywords, whichever provider is set: STOP, STOPALL, UNSUBSCRIBE, CANCEL, END and QUIT opt the number out of your team, START, UNSTOP and YES opt it in.',
    body: InboundSms,
    response: Type.Object({
      received: Type.Literal(true),
      action: Nullable(TextEnum('opted_out', 'opted_in')),
    }),
    handle: ({ app, caller, body }) => receiveCaptured(app, caller.teamId, body),
  }),
]
