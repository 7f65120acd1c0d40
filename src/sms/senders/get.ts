import type { App } from '../../context.ts'
import { orNotFound } from '../../platform/errors.ts'
import { findSender } from './queries.ts'

export function getSender(app: App, teamId: string, id: string) {
  return orNotFound('SMS sender', findSender(app.db, teamId, id))
}
