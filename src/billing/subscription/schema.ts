import Type from 'typebox'
import { Body, Nullable, NullableTimestamp, Resource, TextEnum } from '../../platform/http/schema/schema.ts'
import { paidPlans } from '../payments/provider.ts'
import { PlanName } from '../schema.ts'
import { returnUrlMax } from './check-out.ts'

export const Subscription = Resource('Subscription', {
  plan: PlanName,
  status: Type.String({
    description: 'As the payment provider has it, such as `active` or `past_due`; `active` without a subscription.',
    examples: ['active'],
  }),
  providerSubscriptionId: Nullable(
    Type.String({ description: 'Null without a subscription.', examples: ['sub_1RfKX2CZ6qsJgndJQy5q9o1v'] }),
  ),
  currentPeriodStart: NullableTimestamp,
  currentPeriodEnd: NullableTimestamp,
  cancelAtPeriodEnd: Type.Boolean({ description: 'Whether it ends with the period.', examples: [false] }),
  smsCreditCentsRemaining: Type.Number({ description: 'What is left of the SMS credit.', examples: [182] }),
  monthlySmsCreditCents: Type.Integer({ description: 'What each period begins with.', examples: [200] }),
})

export const Checkout = Body('Checkout', { plan: TextEnum(...paidPlans) }, { examples: [{ plan: 'pro' }] })

export const Portal = Body('Portal', {
  returnUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: returnUrlMax,
      description: 'Where its link back leads; the dashboard’s settings where left out.',
      examples: ['https://example.com/billing'],
    }),
  ),
})

export const PageUrl = Resource('PageUrl', {
  url: Type.String({
    description: 'To be opened in a browser, soon.',
    examples: ['https://checkout.stripe.com/c/pay/cs_live_a1'],
  }),
})

/** An event of the payment provider as Stripe writes them. Fields that are not named are not read. */
export const PaymentEventBody = Resource(
  'PaymentEvent',
  {
    id: Type.String({ examples: ['evt_1'], description: 'Repeats of an event have the same id.' }),
    type: Type.String({ examples: ['checkout.session.completed'] }),
    created: Type.Integer({ description: 'Unix seconds.', examples: [1769851800] }),
    data: Type.Object({ object: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
  },
  { additionalProperties: true },
)
