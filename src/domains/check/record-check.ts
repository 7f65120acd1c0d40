import type { RawBuilder, Updateable } from 'kysely'
import type { App, Tx } from '../../context.ts'
import type { Database } from '../../database.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { publish } from '../../platform/events.ts'
import { expiredKey, newKey, withNewKey } from '../dkim/dkim-rotation.ts'
import { wantedReturnPath } from '../name.ts'
import { type DomainRow, domainColumns, lockDomain } from '../queries.ts'
import { type Findings, isSatisfied, judgeFindings } from '../rules.ts'
import type { DomainStatus, RecordStatuses } from '../table.ts'
import { stopChecks } from './check-schedule.ts'

declare module '../../events.ts' {
  interface Events {
    'domain.status_changed': { domainId: string; name: string; status: DomainStatus }
  }
}

/** `takenByOther` says that all records are there, but another team has verified the name. */
export type CheckOutcome = { row: DomainRow; takenByOther: boolean }

export type How = {
  isRoutine: boolean
  /** Runs in the same transaction after the check is recorded. */
  after?: (tx: Tx, row: DomainRow) => Promise<void>
  /** Replaces the status that follows from the findings. */
  forced?: DomainStatus
  /** The domain of another team that fails in the same transaction. */
  loser?: DomainRow
}

/**
 * Records a check and returns the domain after it: undefined if the domain was deleted, `taken` if another team has
 * verified the name. A unique index decides that, because the other team may be verifying it at the same time.
 */
export async function recordCheck(
  app: App,
  begun: DomainRow,
  findings: Findings,
  how: How,
): Promise<DomainRow | undefined | 'taken'> {
  try {
    return await app.transaction((tx) => record(tx, begun, findings, how))
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'domains_verified_name') throw error
    return 'taken'
  }
}

async function record(tx: Tx, begun: DomainRow, findings: Findings, how: How): Promise<DomainRow | undefined> {
  const before = await lockDomain(tx, begun.team_id, begun.id)
  if (!before || before.check_recorded >= begun.checks_begun) return before
  if (how.loser) await failLoser(tx, how.loser)
  const hasNewKey = before.dkim_next_public_key !== null && findings.nextDkim === 'found'
  const found = hasNewKey ? withNewKey(findings) : findings
  const row = await writeCheck(tx, before, {
    ...changesOf(before, found, how, tx.now),
    ...(hasNewKey ? newKey(before, tx.now) : expiredKey(before, tx.now)),
    check_recorded: begun.checks_begun,
  })
  await how.after?.(tx, row)
  if (row.status !== before.status) await announce(tx, row)
  return row
}

/** Fails a domain only if it has not changed since it was read, and voids its checks under way. */
async function failLoser(tx: Tx, { team_id, id, check_recorded, record_statuses }: DomainRow): Promise<void> {
  const row = await tx.db
    .updateTable('domains')
    .set((eb) => ({ status: 'failed', check_recorded: eb.ref('checks_begun'), updated_at: tx.now }))
    .set({ record_statuses: JSON.stringify({ ...record_statuses, dkim: 'failed' }) })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .where('check_recorded', '=', check_recorded)
    .returning(domainColumns)
    .executeTakeFirst()
  if (!row) return
  await stopChecks(tx, id)
  await announce(tx, row)
}

async function announce(tx: Tx, { team_id, id, name, status }: DomainRow): Promise<void> {
  const target = { type: 'domain', id, name }
  if (status === 'verified' || status === 'failed')
    await recordChange(tx, { teamId: team_id, action: `domain.${status}`, target })
  await publish(tx, [{ type: 'domain.status_changed', teamId: team_id, data: { domainId: id, name, status } }])
}

function changesOf(before: DomainRow, findings: Findings, { forced, isRoutine }: How, now: Date) {
  const wanted = wantedReturnPath(before)
  const firstCheckedAt = before.first_checked_at ?? now
  const isReturnPathSettled = wanted === before.return_path
  const standing = {
    status: before.status,
    recordStatuses: before.record_statuses,
    firstCheckedAt,
    isReturnPathSettled,
    missingSince: before.records_missing_since,
    isRoutine,
  }
  const verdict = judgeFindings(standing, findings, now)
  const status = forced ?? verdict.status
  const hasChanged = status !== before.status || !sameStatuses(before.record_statuses, verdict.recordStatuses)
  return {
    status,
    record_statuses: JSON.stringify(verdict.recordStatuses),
    return_path: isSatisfied(findings.spf) && isSatisfied(findings.mx) ? wanted : before.return_path,
    first_checked_at: firstCheckedAt,
    records_missing_since: verdict.missingSince,
    updated_at: hasChanged ? now : before.updated_at,
  }
}

type Changes = Omit<Updateable<Database['domains']>, 'dkim_private_key'> & { dkim_private_key?: RawBuilder<string> }

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
  const keys = ['dkim', 'nextDkim', 'spf', 'mx', 'tracking'] as const
  return keys.every((key) => one[key] === other[key])
}
