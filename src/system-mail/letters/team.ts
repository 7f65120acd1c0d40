import type { App, Tx } from '../../context.ts'
import { countSystemMail } from '../count.ts'
import type { Order } from '../jobs.ts'
import { quoted } from '../letter.ts'
import { findWebhookHost, listAdmins } from '../queries.ts'
import { hostOf, type Post } from './post.ts'

/** Writes to the owners and admins of a team that one of its webhooks was switched off, once a day at most. */
export async function writeWebhookMail(
  tx: Tx,
  app: App,
  { teamId, webhookId }: Extract<Order, { about: 'webhook' }>,
): Promise<Post[]> {
  const webhook = await findWebhookHost(tx.db, teamId, webhookId)
  if (!webhook || !(await countSystemMail(tx, app, { kind: 'webhook', subject: webhookId, max: 1, per: 'day' })))
    return []
  const letter = {
    subject: 'A webhook was switched off',
    paragraphs: [
      `A webhook of the team “${quoted(webhook.teamName)}” at ${hostOf(app)} was switched off, because all its deliveries failed for five days. It posts to the host “${quoted(webhook.host)}” and has the id ${webhookId}.`,
      'Mend the endpoint, then set the status of the webhook to active. Deliveries that failed can be repeated.',
    ],
  }
  return (await listAdmins(tx.db, teamId)).map((to) => ({ to, letter }))
}
