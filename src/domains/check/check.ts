import type { App, Tx } from '../../context.ts'
import { defineJob, type Job } from '../../platform/jobs/job.ts'
import { findClaimants, findHolder } from '../claims.ts'
import { checkDomainJob } from '../jobs.ts'
import { type DomainRow, domainColumns, findDomain } from '../queries.ts'
import { type DomainRecord, dkimName, dnsTargetsOf, otherSelector, recordsOf } from '../records.ts'
import { type Finding, type Findings, isSatisfied } from '../rules.ts'
import { isChecked, nextCheckAt, planChecks, stopChecks, verifiesAtOnce } from './check-schedule.ts'
import { lookUpDkimKeys, lookUpRecords } from './look-up.ts'
import { type CheckOutcome, type How, recordCheck } from './record-check.ts'

/** Looks for missing records at growing intervals, and checks the records of a verified domain once a day. */
export const checkDomainAgain = defineJob(checkDomainJob, {
  concurrency: 8,
  // A check waits for seconds while a name's servers are silent. A team has half of the slots at most.
  fair: true,
  retryDelaysMs: [60_000, 5 * 60_000, 60 * 60_000],
  // It comes again for ever.
  attemptsMax: Number.POSITIVE_INFINITY,
  async run(app, job) {
    const outcome = await checkDomain(app, job.teamId, job.key, { isRoutine: true })
    return outcome ? again(app, outcome.row, job) : undefined
  },
})

/**
 * Checks a domain's records and records the result. Null if the domain does not exist or is deleted meanwhile. A check
 * that the team requests restarts the series of background checks; a routine check does not.
 */
export async function checkDomain(
  app: App,
  teamId: string,
  id: string,
  { isRoutine }: { isRoutine: boolean },
): Promise<CheckOutcome | null> {
  const begun = await beginCheck(app, teamId, id)
  if (!begun) return null
  const findings = await findRecords(app, begun)
  const after = (tx: Tx, row: DomainRow) => replan(app, tx, row)
  const outcome = await recordClaim(app, begun, findings, isRoutine ? { isRoutine } : { isRoutine, after })
  if (!outcome || begun.status !== 'verified' || !isKeyGone(findings)) return outcome
  if (!(await moveToClaimant(app, outcome.row))) return outcome
  const row = await findDomain(app.db, teamId, id)
  return row ? { row, takenByOther: false } : null
}

/** Records a check. A name that another team has verified moves only if that team's key is gone from DNS. */
async function recordClaim(app: App, begun: DomainRow, findings: Findings, how: How): Promise<CheckOutcome | null> {
  const recorded = await recordCheck(app, begun, findings, how)
  if (recorded !== 'taken') return outcomeOf(recorded, false)
  const holder = await findHolder(app.db, begun)
  const isLapsed = holder !== undefined && isKeyGone(await findRecords(app, holder))
  const moved = isLapsed ? await recordCheck(app, begun, findings, { ...how, loser: holder }) : 'taken'
  if (moved !== 'taken') return outcomeOf(moved, false)
  const refused = await recordCheck(app, begun, findings, { ...how, forced: 'failed' })
  return refused === 'taken' ? null : outcomeOf(refused, true)
}

function outcomeOf(row: DomainRow | undefined, takenByOther: boolean): CheckOutcome | null {
  return row ? { row, takenByOther } : null
}

/** Moves the name to another team whose key is in DNS. True if it moved. */
async function moveToClaimant(app: App, loser: DomainRow): Promise<boolean> {
  const names = [loser.dkim_selector, otherSelector(loser.dkim_selector)].map((one) => dkimName(one, loser.name))
  const keys = await lookUpDkimKeys(names, { servers: app.config.dnsServers })
  for (const { team_id, id } of await findClaimants(app.db, loser, keys)) {
    const claimant = await beginCheck(app, team_id, id)
    if (!claimant) continue
    const findings = await findRecords(app, claimant)
    if (!Object.values(findings).every(isSatisfied)) continue
    const after = (tx: Tx, row: DomainRow) => replan(app, tx, row)
    const moved = await recordCheck(app, claimant, findings, { isRoutine: true, after, loser })
    if (moved !== 'taken' && moved?.status === 'verified') return true
  }
  return false
}

/** Numbers a check. Its result is recorded only if no later check and no change of settings was recorded before. */
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
  const records = recordsOf(row, dnsTargetsOf(app, row)).filter(({ key }) => key !== 'oldDkim')
  const missing = records.filter((record) => !record.isLookedUp)
  const unchecked = findingsOf(missing, 'unchecked')
  const checked = records.filter((record) => record.isLookedUp)
  if (verifiesAtOnce(app, row.name)) return { ...unchecked, ...findingsOf(checked, 'found') }
  return { ...unchecked, ...(await lookUpRecords(checked, { servers: app.config.dnsServers })) }
}

/** True if DNS has neither the key nor its replacement. */
function isKeyGone({ dkim, nextDkim = 'missing' }: Findings): boolean {
  return dkim === 'missing' && nextDkim === 'missing'
}

function findingsOf(records: DomainRecord[], finding: Finding): Findings {
  return Object.fromEntries(records.map(({ key }) => [key, finding]))
}

async function replan(app: App, tx: Tx, row: DomainRow): Promise<void> {
  if (isChecked(app, row)) await planChecks(tx, row, nextCheckAt(row, 0, tx.now))
  else await stopChecks(tx, row.id)
}

function again(app: App, row: DomainRow, job: Job): { runAt: Date } | undefined {
  return isChecked(app, row) ? { runAt: nextCheckAt(row, job.attempts, app.clock.now()) } : undefined
}
