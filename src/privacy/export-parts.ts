import { sql } from 'kysely'
import type { App, Db, Tx } from '../context.ts'
import type { TeamJob } from '../platform/jobs/job.ts'
import { parseExactly } from '../platform/numbers/exact-number.ts'

const partPurpose = 'privacy-export'

/**
 * Bodies of emails that one export holds. A file is made in memory, where it takes three times as much, and more than
 * half of what a team's answers may take together would never be sent.
 */
const bodiesMaxBytes = 24 * 1024 * 1024

/** Returns how many bytes of bodies an export still takes. All that it holds is counted. */
export async function findBodyRoom(db: Db, { teamId, key }: TeamJob): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(content)), 0)::float as bytes from privacy_export_parts
    where team_id = ${teamId} and request_id = ${key}
  `.execute(db)
  return Math.max(0, bodiesMaxBytes - rows[0]!.bytes)
}

/** Adds rows to an export, encrypted. Returns their number. */
export async function addExportPart(app: App, tx: Tx, job: TeamJob, name: string, shown: object[]): Promise<number> {
  if (shown.length === 0) return 0
  const content = app.keyring.encrypt(partPurpose, JSON.stringify(shown), job.key)
  await sql`
    insert into privacy_export_parts (team_id, request_id, position, name, content)
    select ${job.teamId}, ${job.key}, count(*), ${name}, ${content} from privacy_export_parts
    where team_id = ${job.teamId} and request_id = ${job.key}
  `.execute(tx.db)
  return shown.length
}

/** Deletes what an export holds so far. */
export async function deleteExportParts(tx: Tx, { teamId, key }: TeamJob): Promise<void> {
  await tx.db.deleteFrom('privacy_export_parts').where('team_id', '=', teamId).where('request_id', '=', key).execute()
}

/** Returns the rows of an export by kind. */
export async function readExportParts(app: App, teamId: string, id: string): Promise<Map<string, object[]>> {
  const parts = await app.db
    .selectFrom('privacy_export_parts')
    .select(['name', 'content'])
    .where('team_id', '=', teamId)
    .where('request_id', '=', id)
    .orderBy('position')
    .execute()
  const byName = new Map<string, object[]>()
  for (const { name, content } of parts) {
    const rows = parseExactly(app.keyring.decrypt(partPurpose, content, id)) as object[]
    const before = byName.get(name)
    if (before) for (const row of rows) before.push(row)
    else byName.set(name, rows)
  }
  return byName
}

/** Returns the bytes that an export takes in memory; null if the request does not exist. */
export async function findExportBytes(db: Db, teamId: string, id: string): Promise<number | null> {
  const { rows } = await sql<{ bytes: number }>`
    select 3 * coalesce((
      select sum(octet_length(content)) from privacy_export_parts as part
      where part.team_id = request.team_id and part.request_id = request.id
    ), 0)::float as bytes
    from privacy_requests as request where team_id = ${teamId} and id = ${id}
  `.execute(db)
  return rows[0]?.bytes ?? null
}
