import type pg from 'pg'
import { type Connections, openDatabase } from '../src/platform/sql/db.ts'
import { createTestDatabase, testServer } from './database.ts'

/** A migrated database without rows, and a pool of connections to it. */
export type TestDatabase = { config: pg.ClientConfig; connections: Connections; drop(): Promise<void> }

/**
 * Databases of test files that have ended. Their connections have read the catalogue, which takes longer than most
 * tests.
 */
const spare: TestDatabase[] = []
const spareMax = 3

/** Takes the database of a file that has ended, or creates one. Return it with `giveBack`. */
export async function takeDatabase(): Promise<TestDatabase> {
  return spare.pop() ?? open(await createTestDatabase(await testServer()))
}

/** Opens the pool of a test's process. With fewer connections, tests that hold locks stand still. */
export function openTestPool(config: pg.PoolConfig): Connections {
  return openDatabase({ ...config, max: 6 }, () => undefined)
}

function open(database: { config: pg.ClientConfig; drop(): Promise<void> }): TestDatabase {
  const connections = openTestPool(database.config)
  return {
    ...database,
    connections,
    async drop() {
      await connections.close()
      await database.drop()
    },
  }
}

/** Keeps the database for a later file if it can be emptied, and drops it otherwise. It must not be in use. */
export async function giveBack(database: TestDatabase): Promise<void> {
  // A process that runs one file has no later one.
  const isWanted = process.env.TEST_SPARE === 'yes' && spare.length < spareMax
  if (isWanted && (await empty(database.connections.pool))) spare.push(database)
  else await database.drop()
}

/** Drops the databases that are kept, once all files of the process are done. */
export async function dropSpareDatabases(): Promise<void> {
  await Promise.all(spare.splice(0).map((database) => database.drop()))
}

/** Counts what a test may have added to the database or changed in it. Partitions come and go by design. */
const shape = `
  select
    (select count(*) from pg_class where relnamespace = 'public'::regnamespace and not relispartition and relkind in ('r', 'p', 'v', 'S', 'f', 'm')) as relations,
    (select count(*) from pg_proc where pronamespace = 'public'::regnamespace) as functions,
    (select count(*) from pg_trigger join pg_class on pg_class.oid = tgrelid where not tgisinternal and tgenabled = 'O' and not relispartition) as triggers,
    (select count(*) from pg_constraint where connamespace = 'public'::regnamespace and conparentid = 0) as constraints,
    (select count(*) from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())) as settings
`
let usualShape: string | undefined

/**
 * Deletes all rows and begins sequences anew. Resolves to false if a test has changed the database itself, or if the
 * role of TEST_DATABASE_URL may not switch triggers off. `run.ts` allows it on the embedded database.
 */
async function empty(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect()
  try {
    await dropPartitions(client)
    const found = JSON.stringify((await client.query(shape)).rows)
    usualShape ??= found
    if (found === usualShape) await client.query(await deletions(client))
    client.release()
    return found === usualShape
  } catch (error) {
    client.release(error as Error)
    const isRefused = (error as { code?: string }).code === '42501'
    if (isRefused && !process.env.TEST_DATABASE_URL) throw error
    return false
  }
}

/** Partitions belong to days of the earlier file's clock. */
async function dropPartitions(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class where relispartition and relkind = 'r' and relnamespace = 'public'::regnamespace
  `)
  if (rows.length === 0) return
  await client.query(`drop table ${rows.map(({ name }) => client.escapeIdentifier(name)).join(', ')}`)
}

let statements: string | undefined

async function deletions(client: pg.PoolClient): Promise<string> {
  if (statements) return statements
  const named = async (kinds: string) => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = any ($1)`,
      [kinds.split('')],
    )
    return rows.map(({ name }) => name).filter((name) => name !== 'migrations')
  }
  // Triggers and references are off, so the order does not matter.
  statements = [
    'begin',
    'set local session_replication_role = replica',
    ...(await named('rp')).map((name) => `delete from ${client.escapeIdentifier(name)}`),
    ...(await named('S')).map((name) => `select setval(${client.escapeLiteral(name)}, 1, false)`),
    'commit',
  ].join(';')
  return statements
}
