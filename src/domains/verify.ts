import type { App } from '../context.ts'
import { conflict, orNotFound } from '../platform/errors.ts'
import { checkDomain } from './check/check.ts'
import { presentDomain } from './present.ts'

/** Checks the records now and, if some are missing, continues in the background. */
export async function verifyDomain(app: App, teamId: string, id: string) {
  const outcome = await orNotFound('domain', checkDomain(app, teamId, id, { isRoutine: false }))
  if (outcome.takenByOther) {
    throw conflict(
      `${outcome.row.name} is verified by another team. It can be verified here once they have deleted it, or once their DKIM record is gone from DNS.`,
    )
  }
  return presentDomain(app, outcome.row)
}
