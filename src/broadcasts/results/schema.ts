import Type, { type Static } from 'typebox'
import { Body, ListQueryOf, Nullable, Page, Resource, TextEnum, Uuid } from '../../platform/http/schema/schema.ts'

const Count = Type.Integer({ minimum: 0 })

export const BroadcastAudience = Resource('BroadcastAudience', {
  total: Count,
  recipients: Count,
  skipped: Type.Object({ unsubscribed: Count, suppressed: Count, notOptedIn: Count }),
})

/** From the first that a recipient reaches to the last. `queued`: its turn has not come. */
const recipientStatuses = [
  ...(['queued', 'sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const),
  ...(['unsubscribed', 'suppressed', 'notOptedIn', 'cancelled', 'failed'] as const),
] as const
export type RecipientStatus = (typeof recipientStatuses)[number]

export const RecipientsQuery = ListQueryOf({
  status: Type.Optional({ ...TextEnum(...recipientStatuses), description: 'Only those with this status.' }),
})
export type RecipientsQuery = Static<typeof RecipientsQuery>

export const BroadcastRecipients = Page(
  Resource('BroadcastRecipient', {
    contactId: Uuid,
    email: Nullable(Type.String({ description: 'Null if the contact was deleted before it got an email.' })),
    status: TextEnum(...recipientStatuses),
    emailId: Nullable(Uuid),
  }),
)

export const BroadcastLinks = Page(
  Resource('BroadcastLink', {
    url: Type.String({ examples: ['https://shop.test/sale'] }),
    clicks: Count,
    recipients: Type.Integer({ minimum: 0, description: 'Those that clicked it at least once.' }),
  }),
)

const Address = Type.String({ minLength: 3, maxLength: 1000, examples: ['ada@example.com'] })

export const BroadcastTest = Body('BroadcastTest', {
  to: Type.Array(Address, { minItems: 1, maxItems: 5 }),
  contactId: Type.Optional(Uuid),
})
export type BroadcastTest = Static<typeof BroadcastTest>

export const BroadcastTested = Resource('BroadcastTested', { emailIds: Type.Array(Uuid) })
