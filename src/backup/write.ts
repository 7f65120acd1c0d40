import type pg from 'pg'
import { findDone, pendingOf, readMigrations } from '../platform/migrate/files.ts'
import { version } from '../version.ts'
import { type FoundTable, listPartitions, listSequences, listTables, namesOf, quoted } from './catalogue.ts'
import { copyOut } from './copy.ts'
import { writeFile } from './file.ts'
import type { BackupRecord } from './records.ts'

/** Attempts to see the tables that were locked. Each fails only if a migration ends meanwhile. */
const attemptsMax = 5

type Destination = {
  path: string
  /** Null to write a file that is not encrypted. */
  passphrase: string | null
  /** APP_SECRET, then APP_SECRET_PREVIOUS. */
  secrets: string[]
}
/** `part`: how much of the database was read, from 0 to 1. */
type Progress = (part: number, rows: number) => void

/**
 * Writes all our tables as one transaction sees them, while others write. Returns the number of tables and of rows.
 * Throws if the database was never migrated, or by a newer version.
 */
export async function writeBackup(client: pg.ClientBase, to: Destination, progress: Progress) {
  const tables = await beginReading(client)
  const total = { tables: tables.length, rows: 0 }
  const records = recordsOf(client, tables, to.secrets, (part, rows) => {
    total.rows = rows
    progress(part, rows)
  })
  await writeFile(to.path, to.passphrase, records)
  await client.query('commit')
  return total
}

/**
 * Begins the transaction, and returns the tables. They are locked before its first look, which would miss what a
 * migration writes anew. The locks let others read and write, and keep tables from being changed or dropped.
 */
async function beginReading(client: pg.ClientBase): Promise<FoundTable[]> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const before = await listTables(client)
    if (before.length === 0)
      throw new Error('The database has no tables of Posthorn: is it the one that the server uses?')
    await client.query('begin isolation level repeatable read, read only')
    await client.query(`lock table ${namesOf(before.map(({ name }) => name))} in access share mode`)
    const tables = await listTables(client)
    if (shapeOf(tables) === shapeOf(before)) return tables
    await client.query('rollback')
  }
  throw new Error('The database is being migrated. Make the backup when that is done.')
}

function shapeOf(tables: FoundTable[]): string {
  return JSON.stringify(tables.map(({ name, columns }) => [name, columns]))
}

async function* recordsOf(
  client: pg.ClientBase,
  tables: FoundTable[],
  secrets: string[],
  progress: Progress,
): AsyncGenerator<BackupRecord> {
  yield { type: 'header', body: await headerOf(client, tables, secrets) }
  const allBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  let [rows, bytes] = [0, 0]
  for (const table of tables) {
    yield { type: 'table', body: { name: table.name } }
    const copied = copyOut(client, copyText(table))
    for await (const body of copied.data) yield { type: 'data', body }
    rows += copied.rows()
    bytes += table.bytes
    yield { type: 'table-end', body: { rows: copied.rows() } }
    progress(bytes / Math.max(allBytes, 1), rows)
  }
  yield { type: 'end', body: { rows } }
}

async function headerOf(client: pg.ClientBase, found: FoundTable[], secrets: string[]) {
  const tables = found.map(({ name, columns, isPartitioned }) => ({ name, columns, isPartitioned }))
  const done = await findDone(client)
  pendingOf(await readMigrations(), done)
  const { rows } = await client.query<{ madeAt: Date }>('select transaction_timestamp() as "madeAt"')
  return {
    posthorn: version,
    madeAt: rows[0]!.madeAt.toISOString(),
    migrations: [...done].map(([name, hash]) => ({ name, hash })),
    tables,
    partitions: await listPartitions(client, tables),
    sequences: await listSequences(client, tables),
    secrets,
  }
}

/** The text form is the same in all versions of PostgreSQL. */
function copyText({ name, columns, isPartitioned }: FoundTable): string {
  const from = isPartitioned
    ? `(select ${namesOf(columns)} from ${quoted(name)})`
    : `${quoted(name)} (${namesOf(columns)})`
  return `copy ${from} to stdout`
}
