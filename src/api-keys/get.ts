import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { findApiKey } from './queries.ts'

export async function getApiKey(app: App, teamId: string, id: string) {
  const key = await findApiKey(app.db, teamId, id)
  if (!key) throw notFound('API key')
  return key
}
