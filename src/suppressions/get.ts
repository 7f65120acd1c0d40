import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { findSuppression } from './queries.ts'

export async function getSuppression(app: App, teamId: string, id: string) {
  const suppression = await findSuppression(app.db, teamId, id)
  if (!suppression) throw notFound('suppression')
  return suppression
}
