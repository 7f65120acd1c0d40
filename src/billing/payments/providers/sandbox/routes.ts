import Type from 'typebox'
import { type Route, route } from '../../../../platform/http/route.ts'
import { Strict, TextEnum } from '../../../../platform/http/schema/schema.ts'
import { paidPlans } from '../../provider.ts'
import { payCheckout, showCheckout } from './checkout-page.ts'
import { changeInPortal, showPortal } from './portal.ts'
import { portalActions } from './portal-page.ts'

const TokenQuery = Strict({ token: Type.String({ minLength: 1, maxLength: 6000 }) })

const PortalForm = Strict({
  action: TextEnum(...portalActions),
  subscription: Type.Optional(Type.String({ maxLength: 100 })),
  periodEnd: Type.Optional(Type.String({ maxLength: 50 })),
  plan: Type.Optional(TextEnum(...paidPlans)),
})

const shared = {
  access: 'public',
  tag: 'Billing',
  query: TokenQuery,
  response: Type.String(),
  produces: 'text/html; charset=utf-8',
} as const

/** The pages of the payment sandbox. The signed token in the link grants access. */
export const sandboxRoutes: Route[] = [
  route('GET /billing/sandbox/checkout', null, {
    ...shared,
    summary: 'Show what a plan costs',
    handle: ({ app, query, reply }) => showCheckout(app, query.token, reply),
  }),
  route('POST /billing/sandbox/checkout', null, {
    ...shared,
    summary: 'Buy the plan',
    // The button sends an empty body.
    takes: 'bytes',
    handle: ({ app, query, reply }) => payCheckout(app, query.token, reply),
  }),
  route('GET /billing/sandbox/portal', null, {
    ...shared,
    summary: 'Show the subscription',
    handle: ({ app, query, reply }) => showPortal(app, query.token, reply),
  }),
  route('POST /billing/sandbox/portal', null, {
    ...shared,
    summary: 'Change the subscription',
    takes: 'form',
    body: PortalForm,
    handle: ({ app, query, body, reply }) => changeInPortal(app, query.token, body, reply),
  }),
]
