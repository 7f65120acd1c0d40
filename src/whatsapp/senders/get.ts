import type { App } from '../../context.ts'
import { orNotFound } from '../../platform/errors.ts'
import { findSender } from './queries.ts'

export function getSender(app: App, teamId: string, id: string) {
  return orNotFound('WhatsApp sender', findSender(app.db, teamId, id))
}
