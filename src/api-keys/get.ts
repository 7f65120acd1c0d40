import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { findApiKey, type KeyScope } from './queries.ts'

export async function getApiKey(app: App, scope: KeyScope, id: string) {
  const key = await findApiKey(app.db, scope, id)
  if (!key) throw notFound('API key')
  return key
}
