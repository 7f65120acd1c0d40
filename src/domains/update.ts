import type { App, Tx } from '../context.ts'
import { recordUpdate } from '../platform/audit/record.ts'
import { invalid, orNotFound } from '../platform/errors.ts'
import { isChecked, planChecks, stopChecks, verifiesAtOnce } from './check/check-schedule.ts'
import { returnPathName, wantedReturnPath } from './name.ts'
import { presentDomain } from './present.ts'
import { type DomainRow, domainColumns, lockDomain } from './queries.ts'
import { hasTracking } from './rules.ts'
import type { DomainChanges } from './schema.ts'
import type { RecordStatuses } from './table.ts'

/** Changes settings. New records that a change requires are pending, and background checks look for them. */
export async function updateDomain(app: App, teamId: string, id: string, changes: DomainChanges) {
  const row = await app.transaction(async (tx) => {
    const before = await orNotFound('domain', lockDomain(tx, teamId, id))
    const settings = changedSettings(before, changes)
    const wanted = { ...before, ...settings }
    if (sameRecords(before, wanted)) return writeSettings(tx, before, settings)
    const after = await writeSettings(tx, before, { ...settings, ...newStanding(app, before, wanted, tx.now) })
    if (isChecked(app, after)) await planChecks(tx, after, tx.now)
    else await stopChecks(tx, after.id)
    return after
  })
  return presentDomain(app, row)
}

function changedSettings(before: DomainRow, changes: DomainChanges) {
  const { clickTracking, openTracking, tls, customReturnPath } = changes
  return {
    click_tracking: clickTracking ?? before.click_tracking,
    open_tracking: openTracking ?? before.open_tracking,
    tls: tls ?? before.tls,
    custom_return_path:
      customReturnPath === undefined ? before.custom_return_path : readReturnPath(customReturnPath, before.name),
  }
}

/** Reads a return path: a label or a full name. Null or an empty text restores the default. */
function readReturnPath(text: string | null, domainName: string): string | null {
  if (text === null || text === '') return null
  const full = returnPathName(text, domainName)
  if (!full)
    throw invalid(
      'customReturnPath',
      `must be a label such as bounce, or a name such as bounce.${domainName}, other than the tracking name`,
    )
  return text.includes('.') ? full : full.slice(0, -domainName.length - 1)
}

function sameRecords(before: DomainRow, wanted: DomainRow): boolean {
  return wantedReturnPath(before) === wantedReturnPath(wanted) && hasTracking(before) === hasTracking(wanted)
}

/** The status after a change of the required records. Checks under way are void, and the 72 hours start again. */
function newStanding(app: App, before: DomainRow, wanted: DomainRow, now: Date) {
  const isReturnPathNew = wantedReturnPath(before) !== wantedReturnPath(wanted)
  const { dkim, spf, mx, tracking } = before.record_statuses
  const kept: RecordStatuses = {
    dkim,
    ...(!isReturnPathNew && { spf, mx }),
    ...(hasTracking(before) && hasTracking(wanted) && { tracking }),
  }
  const isSettledAtOnce = before.status === 'verified' && verifiesAtOnce(app, before.name)
  const all: RecordStatuses = {
    dkim: 'verified',
    spf: 'verified',
    mx: 'verified',
    ...(hasTracking(wanted) && { tracking: 'verified' }),
  }
  return {
    status: before.status === 'failed' ? ('pending' as const) : before.status,
    record_statuses: JSON.stringify(isSettledAtOnce ? all : kept),
    return_path: isSettledAtOnce ? wantedReturnPath(wanted) : before.return_path,
    check_recorded: before.checks_begun,
    first_checked_at: before.status === 'not_started' ? null : now,
  }
}

type Settings = ReturnType<typeof changedSettings> & Partial<ReturnType<typeof newStanding>>

async function writeSettings(tx: Tx, before: DomainRow, settings: Settings): Promise<DomainRow> {
  const after = await tx.db
    .updateTable('domains')
    .set({ ...settings, updated_at: tx.now })
    .where('team_id', '=', before.team_id)
    .where('id', '=', before.id)
    .returning(domainColumns)
    .executeTakeFirstOrThrow()
  const target = { type: 'domain', id: before.id, name: before.name }
  const change = { teamId: before.team_id, action: 'domain.updated', target } as const
  await recordUpdate(tx, change, settingsOf(before), settingsOf(after))
  return after
}

/** The settings under the names of the API. */
function settingsOf({ click_tracking, open_tracking, tls, custom_return_path }: DomainRow) {
  const tracking = { clickTracking: click_tracking, openTracking: open_tracking }
  return { ...tracking, tls, customReturnPath: custom_return_path }
}
