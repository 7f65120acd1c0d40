import type { App } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { findOptOut } from './queries.ts'

export async function getOptOut(app: App, teamId: string, id: string) {
  const optOut = await findOptOut(app.db, teamId, id)
  if (!optOut) throw notFound('SMS opt-out')
  return optOut
}
