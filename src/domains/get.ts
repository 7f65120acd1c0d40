import type { App } from '../context.ts'
import { orNotFound } from '../platform/errors.ts'
import { presentDomain } from './present.ts'
import { findDomain } from './queries.ts'

export async function getDomain(app: App, teamId: string, id: string) {
  const row = await orNotFound('domain', findDomain(app.db, teamId, id))
  return presentDomain(app, row)
}
