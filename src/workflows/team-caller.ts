import type { App, Caller } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { findTerms } from '../teams/queries.ts'

/** The caller of a workflow's requests. It may do what its team may, with the present plan and limits. */
export async function teamCaller(app: App, teamId: string): Promise<Caller> {
  const team = await findTerms(app.db, teamId)
  if (!team) throw notFound('team')
  return { kind: 'apiKey', id: teamId, teamId, permission: 'full_access', domainId: null, ...team }
}
