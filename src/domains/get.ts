import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { presentDomain } from './present.ts'
import { findDomain } from './queries.ts'

export async function getDomain(app: App, teamId: string, id: string) {
  const row = await findDomain(app.db, teamId, id)
  if (!row) throw notFound('domain')
  return presentDomain(app, row)
}
