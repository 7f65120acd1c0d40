import Type, { type Static } from 'typebox'
import { Nullable, Page, Resource, TextEnum, Timestamp, Uuid } from '../platform/http/schema/schema.ts'
import { planNames } from './plans.ts'

export const PlanName = TextEnum(...planNames)

export const PlanList = Page(
  Resource('Plan', {
    name: Type.String({ examples: ['Pro'] }),
    plan: PlanName,
    monthlyPrice: Type.Integer({ description: 'In dollars.', examples: [29] }),
    dailyEmailLimit: Type.Integer({ description: 'Emails a UTC day.', examples: [5000] }),
    dailySmsLimit: Type.Integer({ description: 'SMS a UTC day.', examples: [10_000] }),
    monthlySmsCreditCents: Type.Integer({
      description: 'The SMS credit at the start of each period. Unused credit does not roll over.',
      examples: [200],
    }),
    current: Type.Boolean({ description: 'Whether the team is on it.' }),
  }),
)

const CreditEntry = Resource('CreditEntry', {
  id: Type.String({ examples: ['1042'] }),
  kind: TextEnum('debit', 'overage', 'reversal', 'refill', 'grant', 'zero'),
  cents: Type.Number({
    description:
      'The amount that the entry gave, negative if it took one. `overage` is charged by the payment provider and leaves the balance as it is.',
    examples: [-2],
  }),
  balanceCents: Type.Number({ description: 'The credit after the entry.', examples: [198] }),
  messageId: Nullable(Type.String({ ...Uuid, description: 'The SMS. Null for entries about a period or a plan.' })),
  createdAt: Timestamp,
})
export type CreditEntry = Static<typeof CreditEntry>

export const EntryPage = Page(CreditEntry)
