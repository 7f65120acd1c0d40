import type { HtmlPage } from '../../../../platform/http/page.ts'
import { escapeHtml } from '../../../../platform/text/escape-html.ts'
import { dollars } from '../../../dollars.ts'
import { plans } from '../../../plans.ts'
import { rateOfZone, unitsPerDollar, zones } from '../../../rate-card.ts'
import { type MeteredUsage, paidPlans } from '../../provider.ts'
import { notYet } from './checkout-page.ts'
import { dateText, sandboxPage } from './page.ts'
import type { SandboxSubscription } from './queries.ts'

/** The buttons of the page. */
export const portalActions = ['cancel', 'resume', 'change', 'renew', 'end'] as const
export type PortalAction = (typeof portalActions)[number]

type PortalView = {
  subscription: SandboxSubscription | null
  usage: Map<MeteredUsage['eventName'], number>
  isDelivering: boolean
  returnUrl: string
  /** The address of the forms. */
  action: string
}

export function portalPage({ subscription, usage, isDelivering, returnUrl, action }: PortalView): HtmlPage {
  const content = subscription
    ? [aboutSubscription(subscription), usageTable(usage), forms(subscription, action)]
    : ['<p>There is no subscription. Choose a plan first.</p>']
  return sandboxPage(
    'Your subscription',
    [
      ...(isDelivering ? [notYet] : []),
      ...content,
      `<p><a href="${escapeHtml(returnUrl)}">Back to where you came from</a></p>`,
    ].join('\n      '),
  )
}

function aboutSubscription({ plan, periodStart, periodEnd, cancelAtPeriodEnd }: SandboxSubscription): string {
  const { name, monthlyPrice } = plans[plan]
  const next = cancelAtPeriodEnd ? 'ends on' : 'renews on'
  return `<p>${name}, ${dollars(monthlyPrice * unitsPerDollar)} a month. The period began on ${dateText(periodStart)}; the subscription ${next} ${dateText(periodEnd)}.</p>`
}

function usageTable(usage: PortalView['usage']): string {
  const rows = zones.map((zone) => {
    const count = usage.get(`sms_zone${zone}_send`) ?? 0
    return `<tr><th scope="row">Zone ${zone}: ${count} SMS</th><td>${dollars(count * rateOfZone(zone))}</td></tr>`
  })
  return `<table>
        <caption>SMS beyond the credit in this period</caption>
        ${rows.join('\n        ')}
      </table>`
}

function forms(subscription: SandboxSubscription, action: string): string {
  const form = formsTo(action, subscription)
  const { plan, cancelAtPeriodEnd } = subscription
  const others = paidPlans.filter((other) => other !== plan)
  const options = others.map(
    (other) =>
      `<option value="${other}">${plans[other].name}, ${dollars(plans[other].monthlyPrice * unitsPerDollar)} a month</option>`,
  )
  const choice = `<label for="plan">Another plan</label>
        <select id="plan" name="plan">${options.join('')}</select>
        `
  return [
    '<h2>Change it</h2>',
    form('change', 'Change the plan', choice),
    cancelAtPeriodEnd ? form('resume', 'Keep the subscription') : form('cancel', 'Cancel at the end of the period'),
    '<h2>For trying things out</h2>',
    form('renew', 'Start the next period now'),
    form('end', 'End the subscription now'),
  ].join('\n      ')
}

/**
 * Each button names the subscription and the period that it was shown for, so that a repeated or late press changes
 * nothing.
 */
function formsTo(url: string, { id, periodEnd }: SandboxSubscription) {
  return (action: PortalAction, label: string, fields = '') => `<form method="post" action="${escapeHtml(url)}">
        <input type="hidden" name="action" value="${action}">
        <input type="hidden" name="subscription" value="${id}">
        <input type="hidden" name="periodEnd" value="${periodEnd.toISOString()}">
        ${fields}<button>${label}</button>
      </form>`
}
