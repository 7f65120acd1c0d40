import type { App, Tx } from '../../context.ts'
import { countSystemMail } from '../count.ts'
import type { Order } from '../jobs.ts'
import { type Letter, quoted } from '../letter.ts'
import { findWarnedWebhook, listAdmins } from '../queries.ts'
import { hostOf, type Post } from './post.ts'

type WebhookOrder = Extract<Order, { about: 'webhook' | 'webhook-failing' }>

/**
 * Writes to the owners and admins of a team that one of its webhooks keeps failing or was switched off, each once a day
 * at most. Writes nothing if that is out of date.
 */
export async function writeWebhookMail(tx: Tx, app: App, { about, teamId, webhookId }: WebhookOrder): Promise<Post[]> {
  const webhook = await findWarnedWebhook(tx.db, teamId, webhookId)
  const isDue = about === 'webhook' ? webhook?.status === 'inactive' : webhook?.isFailing
  if (!webhook || !isDue) return []
  if (!(await countSystemMail(tx, app, { kind: about, subject: webhookId, max: 1, per: 'day' }))) return []
  const team = `the team “${quoted(webhook.teamName)}” at ${hostOf(app)}`
  const which = `It posts to the host “${quoted(webhook.host)}” and has the id ${webhookId}.`
  const letter = about === 'webhook' ? switchedOffLetter(team, which) : failingLetter(team, which)
  return (await listAdmins(tx.db, teamId)).map((to) => ({ to, letter }))
}

function switchedOffLetter(team: string, which: string): Letter {
  return {
    subject: 'A webhook was switched off',
    paragraphs: [
      `A webhook of ${team} was switched off, because all its deliveries failed for five days. ${which}`,
      'Mend the endpoint, then set the status of the webhook to active. Deliveries that failed can be repeated.',
    ],
  }
}

function failingLetter(team: string, which: string): Letter {
  return {
    subject: 'A webhook keeps failing',
    paragraphs: [
      `A webhook of ${team} has taken no delivery for an hour or longer. ${which}`,
      'Its list of deliveries shows the answers of the endpoint. Deliveries are repeated for some hours, and can be repeated later. After five days of failures the webhook is switched off.',
    ],
  }
}
