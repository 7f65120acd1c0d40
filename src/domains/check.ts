import type { App } from '../context.ts'
import type { Job, JobDefinition } from '../platform/jobs/job.ts'
import { checkKind, nextCheckAt } from './check-schedule.ts'
import { lookUpRecords } from './look-up.ts'
import { isReservedName } from './name.ts'
import { type DomainRow, domainColumns } from './queries.ts'
import { type AfterCheck, type CheckOutcome, recordCheck } from './record-check.ts'
import { type DomainRecord, mailHostOf, recordsOf } from './records.ts'
import { type Findings, isAwaiting } from './rules.ts'

/** Looks again for what is missing, less and less often, until there is nothing left to look for. */
export const checkDomainJob: JobDefinition = {
  kind: checkKind,
  concurrency: 4,
  retryDelaysMs: [60_000, 5 * 60_000, 60 * 60_000],
  async run(app, job) {
    const outcome = await checkDomain(app, job.teamId!, job.key!)
    return outcome ? again(app, outcome.row, job) : undefined
  },
}

/** One check, from beginning to record: null where there is no such domain, or it was deleted meanwhile. */
export async function checkDomain(
  app: App,
  teamId: string,
  id: string,
  after?: AfterCheck,
): Promise<CheckOutcome | null> {
  const begun = await beginCheck(app, teamId, id)
  if (!begun) return null
  const findings = await findRecords(app, begun)
  return recordCheck(app, begun, findings, after)
}

/** Takes a number: what is found is recorded only where no check that began later, and no change of settings, was. */
function beginCheck(app: App, teamId: string, id: string): Promise<DomainRow | undefined> {
  return app.transaction((tx) =>
    tx.db
      .updateTable('domains')
      .set((row) => ({ checks_begun: row('checks_begun', '+', 1) }))
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning(domainColumns)
      .executeTakeFirst(),
  )
}

async function findRecords(app: App, row: DomainRow): Promise<Findings> {
  const records = recordsOf(row, mailHostOf(app.config))
  if (verifiesAtOnce(app, row.name)) return allFound(records)
  return lookUpRecords(records, { servers: app.config.dnsServers })
}

/** Names that can never be in DNS are for trying things out, which `capture` is too. */
export function verifiesAtOnce(app: App, name: string): boolean {
  return app.config.emailProvider === 'capture' && isReservedName(name)
}

function allFound(records: DomainRecord[]): Findings {
  return Object.fromEntries(records.map(({ key }) => [key, 'found']))
}

function again(app: App, row: DomainRow, job: Job): { runAt: Date } | undefined {
  return isAwaiting(row) ? { runAt: nextCheckAt(row, job.attempts, app.clock.now()) } : undefined
}
