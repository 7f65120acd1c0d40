import type pg from 'pg'
import { findDone, type Migration, readMigrations } from '../platform/migrate/files.ts'
import { migrateInside } from '../platform/migrate/run-inside.ts'
import { hasTables, listTables, namesOf, quoted } from './catalogue.ts'
import { lockAlone } from './constraints.ts'
import type { Header, Partition } from './records.ts'

/**
 * Makes the tables of a backup without rows, inside the caller's transaction: by its migrations in a database without
 * tables, or by emptying those that a start of the same version made. Throws if the database holds anything else.
 */
export async function prepareTables(client: pg.ClientBase, header: Header): Promise<void> {
  const migrations = await migrationsOf(header)
  if (!(await hasTables(client))) await migrateInside(client, migrations)
  else await emptyTables(client, header)
  await refuseOtherTables(client, header)
  for (const partition of header.partitions) await addPartition(client, partition)
}

/** Throws if a migration of the backup is none of this version. */
export async function migrationsOf({ posthorn, migrations }: Header): Promise<Migration[]> {
  const known = new Map((await readMigrations()).map((migration) => [migration.name, migration]))
  return migrations.map(({ name, hash }) => {
    const found = known.get(name)
    if (found?.hash === hash) return found
    throw new Error(
      `The backup was made by Posthorn ${posthorn} with migration ${name}, which this version does not have: restore it with that version or a newer one.`,
    )
  })
}

async function emptyTables(client: pg.ClientBase, { migrations }: Header): Promise<void> {
  const done = await findDone(client)
  if (done.size === 0) throw new Error(`The database holds tables of something else. ${advice}`)
  const tables = (await listTables(client)).map(({ name }) => name)
  await lockAlone(client, tables)
  await refuseFilled(client)
  const isSame = done.size === migrations.length && migrations.every(({ name, hash }) => done.get(name) === hash)
  if (!isSame) throw new Error(`The database was made by another version of Posthorn than the backup. ${advice}`)
  // Its start wrote jobs and keys. No trigger fires on this statement but one that refuses it.
  await client.query('alter table audit_entries disable trigger user')
  await client.query(`truncate ${namesOf(tables)}`)
  await client.query('alter table audit_entries enable trigger user')
}

const advice = 'Restore into a new database, or a new DATA_DIR.'

async function refuseFilled(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    'select (select count(*) from teams)::int as teams, (select count(*) from users)::int as users',
  )
  const [{ teams, users }] = rows
  if (teams + users > 0)
    throw new Error(`The database is not empty: it has teams (${teams}) or users (${users}). ${advice}`)
}

/** The same migrations make the same tables, so this is a fault of the file. */
async function refuseOtherTables(client: pg.ClientBase, header: Header): Promise<void> {
  const made = new Map((await listTables(client)).map((table) => [table.name, table]))
  const fits = header.tables.every(({ name, columns }) => made.get(name)?.columns.join() === columns.join())
  if (!fits || made.size !== header.tables.length)
    throw new Error('The backup has other tables than its migrations make.')
}

/** Adds a partition in the way of `platform/request-log/days.ts`. */
async function addPartition(client: pg.ClientBase, { name, parent, bound }: Partition): Promise<void> {
  if (!/^FOR VALUES FROM \('[^'\\]+'\) TO \('[^'\\]+'\)$/.test(bound))
    throw new Error(`The backup has a partition ${name} whose bounds cannot be read.`)
  const { rows } = await client.query('select to_regclass($1) is not null as exists', [quoted(name)])
  if (rows[0].exists) return
  await client.query(`create table ${quoted(name)} (like ${quoted(parent)} including all)`)
  await client.query(`alter table ${quoted(parent)} attach partition ${quoted(name)} ${bound}`)
}
