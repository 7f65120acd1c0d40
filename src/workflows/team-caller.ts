import type { App, Caller } from '../context.ts'
import { notFound } from '../platform/errors.ts'

/** A workflow asks for what its team may, with the plan and the limits of this moment. */
export async function teamCaller(app: App, teamId: string): Promise<Caller> {
  const team = await app.db
    .selectFrom('teams')
    .select(['plan', 'limit_overrides as limitOverrides'])
    .where('id', '=', teamId)
    .executeTakeFirst()
  if (!team) throw notFound('team')
  return { kind: 'apiKey', id: teamId, teamId, permission: 'full_access', domainId: null, ...team }
}
