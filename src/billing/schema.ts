import Type from 'typebox'
import { Page, TextEnum } from '../platform/http/schema.ts'
import { planNames } from './plans.ts'

export const PlanName = TextEnum(...planNames)

export const PlanList = Page(
  Type.Object({
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
