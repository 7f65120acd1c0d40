import type { App, Caller } from '../../context.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import type { PaidPlan, Payer } from '../payments/provider.ts'
import { plans } from '../plans.ts'
import { findCustomerId, isOnPlanOfAnother } from './queries.ts'

export const returnUrlMax = 2000

/**
 * Returns the URL of the page that sells a plan. The new subscription ends an existing one as soon as it is in force;
 * until then the team pays for both.
 */
export async function checkOut(app: App, { teamId, plan: current }: Caller, plan: PaidPlan): Promise<{ url: string }> {
  const payer: Payer = { teamId, provider: app.payments.name }
  if (plan === current && !(await isOnPlanOfAnother(app.db, payer))) {
    throw conflict(`The team is on the plan ${plans[plan].name} already. Choose another one.`)
  }
  return app.payments.createCheckout({ teamId, plan, customerId: await findCustomerId(app.db, payer) })
}

/** Returns the URL of the page that changes the subscription. The page links back to `returnUrl`. */
export async function openPortal(
  app: App,
  { teamId }: Caller,
  returnUrl: string | undefined,
): Promise<{ url: string }> {
  const customerId = await findCustomerId(app.db, { teamId, provider: app.payments.name })
  return app.payments.createPortal({
    teamId,
    customerId,
    returnUrl: webUrl(returnUrl ?? `${app.publicUrl()}/app/settings`),
  })
}

/** Returns the URL in ASCII, whose length counts for providers and links. One character may become many. */
function webUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw invalid('returnUrl', 'must be an http:// or https:// URL')
  if (url.href.length > returnUrlMax) {
    throw invalid('returnUrl', `must be at most ${returnUrlMax} characters long once it is written in ASCII`)
  }
  return url.href
}
