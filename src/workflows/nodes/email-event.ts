import Type from 'typebox'
import { Strict, TextEnum, Uuid } from '../../platform/http/schema.ts'
import { trigger } from './node.ts'

/** The specification's names, and those that webhooks go by. */
const EmailEvent = TextEnum(
  ...(['delivered', 'bounced', 'opened', 'clicked', 'complained', 'sent', 'delivery_delayed'] as const),
  ...(['email.delivered', 'email.bounced', 'email.opened', 'email.clicked', 'email.complained'] as const),
  ...(['email.sent', 'email.delivery_delayed'] as const),
)

export const emailEventNode = trigger({
  type: 'email_event',
  title: 'Email event',
  description: 'Fires for each event of an email: of its delivery, or of its reader.',
  config: Strict({
    events: Type.Array(EmailEvent, {
      minItems: 1,
      maxItems: 20,
      title: 'Events',
      description: 'Any of these fires. With `email.` in front or without.',
      examples: [['opened', 'clicked']],
    }),
    domain_id: Type.Optional(
      Type.String({ ...Uuid, title: 'Domain', description: 'Only of emails sent from this domain.' }),
    ),
  }),
  references: ({ domain_id: id }) => (id === undefined ? [] : [{ path: 'domain_id', noun: 'domain', id }]),
})
