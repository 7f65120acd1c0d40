import Type, { type Static } from 'typebox'
import { recipientsMax } from '../../emails/schema.ts'
import { Strict } from '../../platform/http/schema.ts'
import { findEarlierEmail } from '../mail/earlier-attempt.ts'
import { addressFaults, fillRecipients } from '../mail/recipients.ts'
import { sendOnBehalf } from '../mail/send.ts'
import { fillText } from '../mail/texts.ts'
import { fillAll, hasPlaceholder } from '../placeholders/fill.ts'
import { referenceTo } from '../placeholders/reference.ts'
import { action } from './node.ts'

const Address = Type.String({ minLength: 1, maxLength: 1000 })
const Variable = Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] })

const Config = Strict({
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
    Type.String({ title: 'HTML', description: 'Values of placeholders are escaped.', contentMediaType: 'text/html' }),
  ),
  text: Type.Optional(Type.String({ title: 'Text', contentMediaType: 'text/plain' })),
  template_id: Type.Optional(
    Type.String({
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
export type SendEmailConfig = Static<typeof Config>

/** Output: `{emailId, status}`. */
export const sendEmailNode = action({
  type: 'send_email',
  title: 'Send an email',
  description: 'Sends one email to one or more addresses. All rules for emails apply.',
  config: Config,
  retries: true,
  faults: (config) => addressFaults(config).filter(({ value }) => typeof value === 'string' && !hasPlaceholder(value)),
  references: ({ template_id }) => referenceTo('template', 'template_id', template_id),
  prepare({ to, subject, html, text, template_variables, ...rest }, context) {
    const variables = fillAll(template_variables ?? {}, context)
    const texts = { context, variables, html: false }
    return {
      ...fillAll(rest, context),
      to: fillRecipients(to, context),
      // A line break in a value would end the header.
      subject: fillText(subject, texts).replace(/[\r\n]+/g, ''),
      ...(html !== undefined && { html: fillText(html, { ...texts, html: true }) }),
      ...(text !== undefined && { text: fillText(text, texts) }),
      ...(template_variables && { template_variables: variables }),
    }
  },
  async run(turn, input) {
    const { id, status } = (await findEarlierEmail(turn)) ?? (await sendOnBehalf(turn, input))
    return { output: { emailId: id, status } }
  },
})
