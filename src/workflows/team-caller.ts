import type { App, Caller } from '../context.ts'
import { orNotFound } from '../platform/errors.ts'
import { modeOf } from '../platform/mode/mode.ts'
import { findTerms } from '../teams/queries.ts'

/**
 * Finds the caller that a workflow's requests are made as: the team, with its present plan and limits. Throws
 * `notFound`.
 */
export async function teamCaller(app: App, teamId: string): Promise<Caller> {
  const team = await orNotFound('team', findTerms(app.db, teamId))
  return {
    kind: 'apiKey',
    id: teamId,
    teamId,
    permission: 'full_access',
    mode: modeOf(teamId),
    domainId: null,
    ...team,
  }
}
