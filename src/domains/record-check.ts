import type { App, Tx } from '../context.ts'
import { wantedReturnPath } from './name.ts'
import { type DomainRow, domainColumns, findDomainForUpdate } from './queries.ts'
import { type Findings, judge } from './rules.ts'
import type { DomainStatus, RecordStatuses } from './table.ts'

/** `takenByOther`: every record is there, but another team has verified the name. */
export type CheckOutcome = { row: DomainRow; takenByOther: boolean }

/** What follows in the same transaction, where the check was recorded. */
export type AfterCheck = (tx: Tx, row: DomainRow) => Promise<void>

/** Records what a check found, and gives the domain as it then stands; null where it is gone. */
export async function recordCheck(
  app: App,
  begun: DomainRow,
  findings: Findings,
  after?: AfterCheck,
): Promise<CheckOutcome | null> {
  try {
    const row = await app.transaction((tx) => record(tx, begun, findings, { after }))
    return row ? { row, takenByOther: false } : null
  } catch (error) {
    // Only the index can tell: the other team may be verifying it this very moment.
    if ((error as { constraint?: string }).constraint !== 'domains_verified_name') throw error
    const row = await app.transaction((tx) => record(tx, begun, findings, { after, forced: 'failed' }))
    return row ? { row, takenByOther: true } : null
  }
}

type How = { after: AfterCheck | undefined; forced?: DomainStatus }

async function record(
  tx: Tx,
  begun: DomainRow,
  findings: Findings,
  { after, forced }: How,
): Promise<DomainRow | undefined> {
  const before = await findDomainForUpdate(tx.db, begun.team_id, begun.id)
  if (!before || before.check_recorded >= begun.checks_begun) return before
  const row = await writeCheck(tx, before, {
    ...changesOf(before, findings, forced, tx.now),
    check_recorded: begun.checks_begun,
  })
  await after?.(tx, row)
  return row
}

function changesOf(before: DomainRow, findings: Findings, forced: DomainStatus | undefined, now: Date) {
  const wanted = wantedReturnPath(before)
  const firstCheckedAt = before.first_checked_at ?? now
  const isReturnPathSettled = wanted === before.return_path
  const standing = {
    status: before.status,
    recordStatuses: before.record_statuses,
    firstCheckedAt,
    isReturnPathSettled,
  }
  const verdict = judge(standing, findings, now)
  const status = forced ?? verdict.status
  const hasChanged = status !== before.status || !sameStatuses(before.record_statuses, verdict.recordStatuses)
  return {
    status,
    record_statuses: JSON.stringify(verdict.recordStatuses),
    return_path: findings.spf === 'found' && findings.mx === 'found' ? wanted : before.return_path,
    first_checked_at: firstCheckedAt,
    updated_at: hasChanged ? now : before.updated_at,
  }
}

type Changes = ReturnType<typeof changesOf> & { check_recorded: number }

function writeCheck(tx: Tx, { team_id, id }: DomainRow, changes: Changes): Promise<DomainRow> {
  return tx.db
    .updateTable('domains')
    .set(changes)
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .returning(domainColumns)
    .executeTakeFirstOrThrow()
}

function sameStatuses(one: RecordStatuses, other: RecordStatuses): boolean {
  const keys = ['dkim', 'spf', 'mx', 'tracking'] as const
  return keys.every((key) => one[key] === other[key])
}
