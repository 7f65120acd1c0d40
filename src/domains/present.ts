import type { App } from '../context.ts'
import type { DomainRow } from './queries.ts'
import { dnsTargetsOf, recordsOf } from './records.ts'

/** A domain as the API returns it, with the records that its row requires. */
export function presentDomain(app: App, given: DomainRow) {
  const row = withoutExpiredKey(given, app.clock.now())
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    region: row.region,
    clickTracking: row.click_tracking,
    openTracking: row.open_tracking,
    tls: row.tls,
    customReturnPath: row.custom_return_path,
    records: recordsOf(row, dnsTargetsOf(app, row)),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Hides the record of a replaced key after its time, before the next check clears it. */
function withoutExpiredKey(row: DomainRow, now: Date): DomainRow {
  const isOver = row.dkim_old_until !== null && row.dkim_old_until <= now
  return isOver ? { ...row, dkim_old_public_key: null, dkim_old_until: null } : row
}
