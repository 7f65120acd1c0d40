import type { FastifyReply } from 'fastify'
import type { App } from '../../../../context.ts'
import { showPage } from '../../../../platform/http/page.ts'
import type { PaidPlan } from '../../provider.ts'
import { changePlan, endSubscription, setCancelAtPeriodEnd, startNextPeriod } from './change.ts'
import { isDelivering } from './deliver.ts'
import { actionOf, openLink } from './links.ts'
import { showGone } from './page.ts'
import { type PortalAction, portalPage } from './portal-page.ts'
import { countUsage, findActive, type SandboxSubscription } from './queries.ts'

type PortalForm = { action: PortalAction; subscription?: string; periodEnd?: string; plan?: PaidPlan }

export async function showPortal(app: App, token: string, reply: FastifyReply): Promise<FastifyReply> {
  const link = await openLink(app, 'portal', token)
  if (!link) return showGone(reply)
  const { teamId, returnUrl } = link
  const subscription = await findActive(app.db, teamId)
  const usage = subscription ? await countUsage(app.db, teamId, subscription.periodStart) : new Map()
  const view = { subscription, usage, returnUrl, isDelivering: await isDelivering(app.db, teamId) }
  return showPage(reply, portalPage({ ...view, action: actionOf(app, 'portal', token) }))
}

export async function changeInPortal(
  app: App,
  token: string,
  form: PortalForm,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const link = await openLink(app, 'portal', token)
  if (!link) return showGone(reply)
  const subscription = await findActive(app.db, link.teamId)
  if (subscription && isAbout(form, subscription)) await act(app, subscription, form)
  return reply.redirect(actionOf(app, 'portal', token), 303)
}

/** Tells whether the form was made for this subscription and period, which may have ended since. */
function isAbout({ subscription: id, periodEnd }: PortalForm, subscription: SandboxSubscription): boolean {
  return (
    (id ?? subscription.id) === subscription.id &&
    (periodEnd ?? subscription.periodEnd.toISOString()) === subscription.periodEnd.toISOString()
  )
}

async function act(app: App, subscription: SandboxSubscription, { action, plan }: PortalForm): Promise<void> {
  if (action === 'cancel') await setCancelAtPeriodEnd(app, subscription, true)
  else if (action === 'resume') await setCancelAtPeriodEnd(app, subscription, false)
  else if (action === 'change') await changePlan(app, subscription, plan ?? subscription.plan)
  else if (action === 'renew') await startNextPeriod(app, subscription)
  else await endSubscription(app, subscription.id)
}
