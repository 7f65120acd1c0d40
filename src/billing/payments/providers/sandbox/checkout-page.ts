import type { FastifyReply } from 'fastify'
import type { App } from '../../../../context.ts'
import { type HtmlPage, showPage } from '../../../../platform/http/page.ts'
import { escapeHtml } from '../../../../platform/text/escape-html.ts'
import { dollars } from '../../../dollars.ts'
import { plans } from '../../../plans.ts'
import { rateOfZone, unitsPerCent, unitsPerDollar, zones } from '../../../rate-card.ts'
import { buy, subscriptionIdOf } from './change.ts'
import { isDelivering } from './deliver.ts'
import { actionOf, type CheckoutLink, openLink } from './links.ts'
import { sandboxPage, showGone } from './page.ts'
import { isBought } from './queries.ts'

export async function showCheckout(app: App, token: string, reply: FastifyReply): Promise<FastifyReply> {
  const link = await openLink(app, 'checkout', token)
  if (!link) return showGone(reply)
  if (await isBought(app.db, link.teamId, subscriptionIdOf(link.id))) return showPage(reply, await paidPage(app, link))
  return showPage(reply, checkoutPage(link, actionOf(app, 'checkout', token)))
}

/** Handles the button of the page. A checkout is paid once, even if the button is pressed several times. */
export async function payCheckout(app: App, token: string, reply: FastifyReply): Promise<FastifyReply> {
  const link = await openLink(app, 'checkout', token)
  if (!link) return showGone(reply)
  await buy(app, link)
  // With 303, a reload loads the page and does not pay again.
  return reply.redirect(actionOf(app, 'checkout', token), 303)
}

function checkoutPage({ plan }: CheckoutLink, action: string): HtmlPage {
  const { name, monthlyPrice, monthlySmsCreditCents } = plans[plan]
  const price = dollars(monthlyPrice * unitsPerDollar)
  const rows = zones.map(
    (zone) => `<tr><th scope="row">Each SMS to zone ${zone}</th><td>${dollars(rateOfZone(zone))}</td></tr>`,
  )
  return sandboxPage(
    `Subscribe to ${name}`,
    `<table>
        <caption>What it costs</caption>
        <tr><th scope="row">${escapeHtml(name)}, each month</th><td>${price}</td></tr>
        ${rows.join('\n        ')}
      </table>
      <p class="quiet">SMS are paid from the plan’s monthly credit of ${dollars(monthlySmsCreditCents * unitsPerCent)} first; what goes beyond it is billed at the end of the month.</p>
      <form method="post" action="${escapeHtml(action)}"><button class="main">Pay ${price} and subscribe</button></form>`,
  )
}

async function paidPage(app: App, { plan, teamId }: CheckoutLink): Promise<HtmlPage> {
  const { name } = plans[plan]
  const arrived = `<p>The plan ${name} is in force. You can close this page.</p>`
  const content = (await isDelivering(app.db, teamId)) ? notYet : arrived
  return sandboxPage(
    'Paid',
    `${content}\n      <p><a href="${escapeHtml(app.publicUrl())}/app/settings">Go to the settings</a></p>`,
  )
}

export const notYet =
  '<p role="status">The event of this change has not arrived yet, and is sent again automatically. Reload this page in a moment.</p>'
