import type pg from 'pg'
import { leapAfterRestore } from '../feed/keep-order.ts'
import { type AtRestore, holdBackDueJobs } from '../platform/jobs/restored/hold-back.ts'
import { findDone, pendingOf, readMigrations } from '../platform/migrate/files.ts'
import { refuseUnfitServer, withoutOthersMigrating } from '../platform/migrate/migrate.ts'
import { migrateInside } from '../platform/migrate/run-inside.ts'
import { refuseOtherSecrets } from '../platform/stored-keys/open.ts'
import { failDueDeliveries } from '../webhooks/deliveries/fail-due.ts'
import { namesOf, quoted } from './catalogue.ts'
import { withoutChecks } from './constraints.ts'
import { copyIn } from './copy.ts'
import { prepareTables } from './prepare.ts'
import { type Backup, type Progress, rowsOfTable, takeHeader } from './read.ts'
import type { BackupTable, SequenceState } from './records.ts'

type Restoring = {
  backup: Backup
  /** The secrets that the restored installation starts with: APP_SECRET, then APP_SECRET_PREVIOUS. */
  secrets: string[]
  /** The kinds of due jobs that are discarded or noted. Null lets all of them run. */
  atRestore: AtRestore | null
  /** Called before the commit. It returns how to undo it if the commit fails. */
  beforeCommit(): () => void
  progress: Progress
}

/**
 * Writes a backup into an empty database, in one transaction. Returns the number of jobs that are held back, because
 * they may have run since the backup was made.
 */
export async function restoreBackup(client: pg.ClientBase, restoring: Restoring): Promise<{ heldBack: number }> {
  await refuseUnfitServer(client)
  return withoutOthersMigrating(client, async () => {
    await refuseRunningServer(client)
    await client.query('begin')
    try {
      const heldBack = await restoreInside(client, restoring)
      const undo = restoring.beforeCommit()
      await client.query('commit').catch((error) => {
        undo()
        throw error
      })
      await analyze(client, restoring.backup.header.tables)
      return { heldBack }
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  })
}

/**
 * Without it the first statements are planned for empty tables. All is written by now, so a failure only costs time.
 */
async function analyze(client: pg.ClientBase, tables: BackupTable[]): Promise<void> {
  await client.query(`analyze ${namesOf(tables.map(({ name }) => name))}`).catch(() => undefined)
}

/**
 * A server on an empty database has made keys and jobs, which it would go on with. One that serves the API only and is
 * idle has no connection but those on which it listens.
 */
async function refuseRunningServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name in ('posthorn', 'posthorn-listen')",
  )
  if (rows[0].count > 0) throw new Error('A server of Posthorn runs on this database: stop it first.')
}

async function restoreInside(client: pg.ClientBase, { backup, secrets, atRestore, progress }: Restoring) {
  const { header } = backup
  await prepareTables(client, header)
  const names = header.tables.map(({ name }) => name)
  await withoutChecks(client, names, () => copyTables(client, backup, progress))
  for (const sequence of header.sequences) await setSequence(client, sequence)
  // A backup of an older version has the tables of its time.
  await migrateInside(client, pendingOf(await readMigrations(), await findDone(client)))
  await refuseOtherSecrets(client, secrets)
  await leapAfterRestore(client)
  if (atRestore === null) return 0
  const restoredAt = await now(client)
  await failDueDeliveries(client, restoredAt)
  return holdBackDueJobs(client, { ...atRestore, madeAt: header.madeAt, restoredAt })
}

async function copyTables(client: pg.ClientBase, { file, header, rows: rowsOfFile }: Backup, progress: Progress) {
  const tables = new Map(header.tables.map((table) => [table.name, table]))
  let [rows, part] = [0, 0]
  const records = file.records((bytes) => {
    part = bytes / file.bytes
    progress(part, rows)
  })
  await takeHeader(records)
  for await (const record of records) {
    if (record.type !== 'table') continue
    const table = tables.get(record.body.name)
    if (!table) throw new Error(`The backup does not say what is in its table ${record.body.name}.`)
    rows += await copyTable(client, table, rowsOfTable(records))
    progress(part, rows)
  }
  if (rows !== rowsOfFile) throw new Error('The file was changed while it was read.')
}

async function copyTable(client: pg.ClientBase, { name, columns }: BackupTable, table: ReturnType<typeof rowsOfTable>) {
  const rows = await copyIn(client, `copy ${quoted(name)} (${namesOf(columns)}) from stdin`, table.data)
  if (rows !== table.rows())
    throw new Error(`${rows} rows of ${name} were written, and the backup has ${table.rows()}.`)
  return rows
}

async function setSequence(client: pg.ClientBase, { table, column, value, isCalled }: SequenceState): Promise<void> {
  await client.query('select setval(pg_get_serial_sequence($1, $2), $3, $4)', [quoted(table), column, value, isCalled])
}

async function now(client: pg.ClientBase): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>("select date_trunc('milliseconds', clock_timestamp()) as now")
  return rows[0]!.now
}
