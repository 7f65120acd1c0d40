import { type Route, routesOf } from '../../platform/http/route.ts'
import { Received } from '../../platform/http/schema/schema.ts'
import { admins, owners } from '../../teams/roles/roles.ts'
import { receivePaymentEvent } from '../payments/receive.ts'
import { checkOut, openPortal } from './check-out.ts'
import { readSubscription } from './read.ts'
import { Checkout, PageUrl, PaymentEventBody, Portal, Subscription } from './schema.ts'

const route = routesOf({ access: 'full', tag: 'Billing', command: null })

export const subscriptionRoutes: Route[] = [
  route('GET /v1/billing/subscription', 'getSubscription', {
    sdk: 'billing.subscription',
    roles: admins,
    summary: 'Get the subscription',
    description: 'The plan in force, the period under way and what is left of its SMS credit.',
    response: Subscription,
    handle: ({ app, caller }) => readSubscription(app, caller),
  }),
  route('POST /v1/billing/checkout', 'createCheckout', {
    sdk: 'billing.checkout',
    roles: owners,
    changes: 'billing',
    summary: 'Buy a plan',
    description:
      'Returns the URL of the page where the plan is paid: its price and three metered items, one for each SMS zone. The plan applies once it is paid, and replaces the present subscription.',
    body: Checkout,
    response: PageUrl,
    refusals: ['conflict', 'providerFailed'],
    handle: ({ app, caller, body }) => checkOut(app, caller, body.plan),
  }),
  route('POST /v1/billing/portal', 'createPortal', {
    sdk: 'billing.portal',
    roles: owners,
    changes: 'billing',
    summary: 'Change or cancel the subscription',
    description: 'Returns the URL of a page of the payment provider, which links back to `returnUrl`.',
    body: Portal,
    bodyOptional: true,
    response: PageUrl,
    refusals: ['conflict', 'providerFailed'],
    handle: ({ app, caller, body }) => openPortal(app, caller, body.returnUrl),
  }),
  route('POST /v1/webhooks/payments', 'receivePaymentEvent', {
    access: 'public',
    tag: 'Provider events',
    summary: 'Take an event of the payment provider',
    description:
      'Signed in the header `Stripe-Signature` with STRIPE_WEBHOOK_SECRET, at most five minutes ago. Events may come in any order and more than once; types that are not known are passed over.',
    takes: 'bytes',
    receives: {
      schema: PaymentEventBody,
      headers: {
        'Stripe-Signature': '`t=<Unix seconds>,v1=<HMAC-SHA256 of "t.body" in hexadecimal>`, at most five minutes old.',
      },
    },
    // The provider posts from few addresses, and posts many events on the first day of a month.
    unlimited: true,
    refusals: ['conflict'],
    response: Received,
    handle: ({ app, request }) => receivePaymentEvent(app, request.body, request.headers['stripe-signature']),
  }),
]
