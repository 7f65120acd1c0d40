import Type from 'typebox'
import { Email } from '../../emails/schema.ts'
import { Uuid } from '../../platform/http/schema/schema.ts'
import { SendEmailConfig } from '../mail/config.ts'
import { findEarlierEmail } from '../mail/earlier-attempt.ts'
import { addressFaults, fillRecipients } from '../mail/recipients.ts'
import { sendOnBehalf } from '../mail/send.ts'
import { fillText } from '../mail/texts.ts'
import { fillAll, hasPlaceholder } from '../placeholders/fill.ts'
import { referenceTo } from '../placeholders/reference.ts'
import { action } from './node.ts'

export const sendEmailNode = action({
  type: 'send_email',
  title: 'Send an email',
  description: 'Sends one email to one or more addresses. All rules for emails apply.',
  config: SendEmailConfig,
  output: Type.Object({ emailId: Uuid, status: Email.properties.status }),
  retries: true,
  faults: (config) => addressFaults(config).filter(({ value }) => typeof value === 'string' && !hasPlaceholder(value)),
  references: ({ template_id }) => referenceTo('template', 'template_id', template_id),
  prepare({ to, subject, html, text, template_variables, ...rest }, context) {
    const variables = fillAll(template_variables ?? {}, context)
    const texts = { context, variables }
    return {
      ...fillAll(rest, context),
      to: fillRecipients(to, context),
      // A line break in a value would end the header.
      subject: fillText(subject, { ...texts, form: 'none' }).replace(/[\r\n]+/g, ''),
      ...(html !== undefined && { html: fillText(html, { ...texts, form: 'html' }) }),
      ...(text !== undefined && { text: fillText(text, { ...texts, form: 'text' }) }),
      ...(template_variables && { template_variables: variables }),
    }
  },
  async run(turn, input) {
    const { id, status } = (await findEarlierEmail(turn)) ?? (await sendOnBehalf(turn, input))
    return { output: { emailId: id, status } }
  },
})
