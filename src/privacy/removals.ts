import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import type { Removal } from '../platform/retention/removal.ts'
import { fileKeptMs } from './file.ts'

/** Removes the parts of exports that ended before. */
async function removeExportParts(tx: Tx, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from privacy_export_parts as part using privacy_requests as request
    where request.finished_at < ${before} and part.team_id = request.team_id and part.request_id = request.id
  `.execute(tx.db)
  return Number(numAffectedRows)
}

export const exportRemovals: Removal[] = [
  { kind: 'privacy.clean-up', everyMs: 600_000, keptMs: fileKeptMs, remove: removeExportParts },
]
