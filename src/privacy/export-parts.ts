import { sql } from 'kysely'
import type { App, Db, Tx } from '../context.ts'
import type { TeamJob } from '../platform/jobs/job.ts'
import { parseExactly } from '../platform/numbers/exact-number.ts'

const partPurpose = 'privacy-export'

/** Bodies of emails that one export holds. It keeps a second copy of them in the database for a day. */
const bodiesMaxBytes = 24 * 1024 * 1024

/** Characters of JSON after which a part ends. Whoever reads the file has one part in memory. */
const partMaxLength = 1024 * 1024

/** Returns how many bytes of bodies an export still takes. All that it holds is counted. */
export async function findBodyRoom(db: Db, { teamId, key }: TeamJob): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(content)), 0)::float as bytes from privacy_export_parts
    where team_id = ${teamId} and request_id = ${key}
  `.execute(db)
  return Math.max(0, bodiesMaxBytes - rows[0]!.bytes)
}

/** Adds rows to an export, encrypted. Returns their number. */
export async function addToExport(app: App, tx: Tx, job: TeamJob, name: string, shown: object[]): Promise<number> {
  const contents = splitRows(shown).map((text) => app.keyring.encrypt(partPurpose, text, job.key))
  await sql`
    insert into privacy_export_parts (team_id, request_id, position, name, content)
    select ${job.teamId}, ${job.key}, last.position + part.number, ${name}, part.content
    from unnest(${contents}::text[]) with ordinality as part (content, number), (
      select coalesce(max(position), -1) as position from privacy_export_parts
      where team_id = ${job.teamId} and request_id = ${job.key}
    ) as last
  `.execute(tx.db)
  return shown.length
}

/** Writes rows as JSON arrays, each of which ends with the row that makes it too long. */
function splitRows(rows: object[]): string[] {
  const parts: string[][] = []
  let length = partMaxLength
  for (const text of rows.map((row) => JSON.stringify(row))) {
    if (length >= partMaxLength) {
      parts.push([])
      length = 0
    }
    parts.at(-1)!.push(text)
    length += text.length
  }
  return parts.map((texts) => `[${texts.join()}]`)
}

/** Deletes what an export holds so far. */
export async function deleteExportParts(tx: Tx, { teamId, key }: TeamJob): Promise<void> {
  await tx.db.deleteFrom('privacy_export_parts').where('team_id', '=', teamId).where('request_id', '=', key).execute()
}

export type ExportPart = { position: number; name: string; head: string }

/** Lists the parts of an export, those of a kind together. Parts of one secret have the same head. */
export async function listExportParts(db: Db, teamId: string, id: string): Promise<ExportPart[]> {
  const { rows } = await sql<ExportPart>`
    select position, name, split_part(content, '.', 2) as head from privacy_export_parts
    where team_id = ${teamId} and request_id = ${id}
    order by min(position) over (partition by name), position
  `.execute(db)
  return rows
}

/** Reads the rows of a part. Throws `SecretUnknown` if the secret that encrypted it was removed. */
export async function readExportPart(app: App, teamId: string, id: string, position: number): Promise<object[]> {
  const { content } = await app.db
    .selectFrom('privacy_export_parts')
    .select('content')
    .where('team_id', '=', teamId)
    .where('request_id', '=', id)
    .where('position', '=', position)
    .executeTakeFirstOrThrow()
  return parseExactly(app.keyring.decrypt(partPurpose, content, id)) as object[]
}

/** Returns the bytes that the largest part of an export takes in memory; null if the request does not exist. */
export async function findPartBytes(db: Db, teamId: string, id: string): Promise<number | null> {
  const { rows } = await sql<{ bytes: number }>`
    select 3 * coalesce((
      select max(octet_length(content)) from privacy_export_parts as part
      where part.team_id = request.team_id and part.request_id = request.id
    ), 0)::float as bytes
    from privacy_requests as request where team_id = ${teamId} and id = ${id}
  `.execute(db)
  return rows[0]?.bytes ?? null
}
