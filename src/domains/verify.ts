import type { App } from '../context.ts'
import { conflict, notFound } from '../platform/errors.ts'
import { checkDomain } from './check.ts'
import { nextCheckAt, planChecks } from './check-schedule.ts'
import { presentDomain } from './present.ts'

/** Checks the records now, and goes on checking in the background where some are missing. */
export async function verifyDomain(app: App, teamId: string, id: string) {
  const outcome = await checkDomain(app, teamId, id, (tx, row) => planChecks(tx, row, nextCheckAt(row, 0, tx.now)))
  if (!outcome) throw notFound('domain')
  if (outcome.takenByOther) {
    throw conflict(
      `${outcome.row.name} is verified by another team. It can be verified here once they have deleted it.`,
    )
  }
  return presentDomain(app, outcome.row)
}
