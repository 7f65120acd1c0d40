import Type, { type Static } from 'typebox'
import { recipientsMax } from '../../emails/bounds.ts'
import { Strict } from '../../platform/http/schema/schema.ts'
import { idOf } from '../nodes/node.ts'

const Address = Type.String({ minLength: 1, maxLength: 1000 })
const Variable = Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] })

/** The settings of a `send_email` node. */
export const SendEmailConfig = Strict({
  from: Type.String({
    ...Address,
    title: 'From',
    description: 'An address of a verified domain of the team.',
    examples: ['Shop <hello@shop.test>'],
  }),
  to: Type.Union([Address, Type.Array(Address, { minItems: 1, maxItems: recipientsMax })], {
    title: 'To',
    description: `An address or a list of at most ${recipientsMax} addresses. A placeholder may have a list as its value.`,
    examples: ['{{trigger.contact.email}}'],
  }),
  subject: Type.String({ title: 'Subject', examples: ['Welcome, {{trigger.contact.firstName}}'] }),
  html: Type.Optional(
    Type.String({
      title: 'HTML',
      description: 'Values of placeholders are escaped, and percent-encoded in links.',
      contentMediaType: 'text/html',
    }),
  ),
  text: Type.Optional(Type.String({ title: 'Text', contentMediaType: 'text/plain' })),
  template_id: Type.Optional(
    Type.String({
      ...idOf('templates'),
      title: 'Template',
      description: 'A published template. It supplies the HTML and the text that the request leaves out.',
    }),
  ),
  template_variables: Type.Optional(
    Type.Record(Type.String(), Variable, {
      maxProperties: 1000,
      title: 'Variables',
      description: 'The variables of the template, and of the subject, HTML and text here.',
      examples: [{ name: '{{trigger.contact.firstName}}' }],
    }),
  ),
  reply_to: Type.Optional(Type.String({ ...Address, title: 'Reply to' })),
})
export type SendEmailConfig = Static<typeof SendEmailConfig>
