import type { App } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { findSender } from './queries.ts'

export async function getSender(app: App, teamId: string, id: string) {
  const sender = await findSender(app.db, teamId, id)
  if (!sender) throw notFound('SMS sender')
  return sender
}
