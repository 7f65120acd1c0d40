import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { findWebhook } from './queries.ts'

export async function getWebhook(app: App, teamId: string, id: string) {
  const webhook = await findWebhook(app.db, teamId, id)
  if (!webhook) throw notFound('webhook')
  return webhook
}
