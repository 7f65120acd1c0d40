import Type from 'typebox'
import { invalid } from '../../platform/errors.ts'
import { Strict, Uuid } from '../../platform/http/schema/schema.ts'
import { isAddress } from '../../platform/text/mail-address.ts'
import { addSuppression } from '../../suppressions/add.ts'
import { Suppression } from '../../suppressions/schema.ts'
import { becameInvalid } from '../placeholders/became.ts'
import { fillAll, hasPlaceholder } from '../placeholders/fill.ts'
import { lookUp } from '../placeholders/look-up.ts'
import { action, type Context } from './node.ts'

const addressRule = 'must be one bare address, such as ada@example.com'

export const suppressEmailNode = action({
  type: 'suppress_email',
  title: 'Suppress an address',
  description: 'Puts an address on the suppression list, so that no more email is sent to it.',
  config: Strict({
    email: Type.Optional(
      Type.String({
        minLength: 1,
        title: 'Address',
        description:
          'Left out: the address of the contact that triggered the workflow, or of the recipient of its email.',
        examples: ['{{trigger.contact.email}}'],
      }),
    ),
  }),
  output: Type.Object(
    { suppressionId: Uuid, email: Type.String(), reason: Suppression.properties.reason },
    { description: 'The new entry, or the one that the address has already.' },
  ),
  retries: true,
  faults: ({ email }) =>
    email === undefined || hasPlaceholder(email) || isAddress(email) ? [] : [{ path: 'email', message: addressRule }],
  prepare(config, context) {
    const email = triggeringAddress(context)
    return { ...(email !== undefined && { email }), ...fillAll(config, context) }
  },
  async run({ app, teamId }, { email }) {
    if (email === undefined) throw invalid('email', 'the trigger has no contact and no email. Name an address.')
    if (!isAddress(email)) throw becameInvalid({ path: 'email', value: email, message: addressRule })
    const { id, ...entry } = await addSuppression(app, teamId, email)
    return { output: { suppressionId: id, email: entry.email, reason: entry.reason } }
  },
})

/** The paths of the recipient in an event's data. The recipient of the event comes before those of the email. */
const paths = [
  'trigger.contact.email',
  'trigger.data.bounce.bouncedRecipients[0].emailAddress',
  'trigger.data.complaint.complainedRecipients[0].emailAddress',
  'trigger.data.deliveryDelay.delayedRecipients[0].emailAddress',
  'trigger.data.delivery.recipients[0]',
  'trigger.data.mail.destination[0]',
]

function triggeringAddress(context: Context): string | undefined {
  return paths.map((path) => lookUp(path, context)).find((value) => typeof value === 'string')
}
