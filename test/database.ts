import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/start.ts'
import { migrate } from '../src/platform/migrate/migrate.ts'

/**
 * Settings for tests only: the data need not survive a power cut, and is too small to benefit from compiled or better
 * plans.
 */
export const testServerSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
  max_connections: '200',
  update_process_title: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '16GB',
}

/**
 * Finds the PostgreSQL server for tests: the server of `TEST_DATABASE_URL`, or the embedded server of the run, whose
 * data folder is `TEST_SERVER`. A file that Node runs directly starts a server, which keeps running for the next such
 * file.
 */
export async function testServer(): Promise<pg.ClientConfig> {
  server ??= findServer()
  // Awaited here: tests that a caller declares after awaiting another file's promise would belong to that file's suite.
  return await server
}

let server: Promise<pg.ClientConfig> | undefined

async function findServer(): Promise<pg.ClientConfig> {
  const url = process.env.TEST_DATABASE_URL
  if (url) return { connectionString: url }
  const quiet = { info: () => undefined, warn: () => undefined }
  const dataDir = process.env.TEST_SERVER ?? join(tmpdir(), `posthorn-test-${process.getuid?.() ?? 'user'}`)
  const server = await startEmbeddedPostgres({ dataDir, log: quiet, settings: testServerSettings })
  return server.connection()
}

/**
 * Creates a migrated database; `drop` removes it. It is a copy of a template, which is migrated once for each version
 * of the migrations.
 */
export async function createTestDatabase(
  server: pg.ClientConfig,
): Promise<{ config: pg.ClientConfig; drop(): Promise<void> }> {
  const name = `posthorn_test_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`
  await onServer(server, async (client) => {
    const template = await ensureTemplate(client, server)
    await client.query(`create database ${name} template ${template} strategy file_copy`)
  })
  const drop = () =>
    onServer(server, async (client) => void (await client.query(`drop database if exists ${name} with (force)`)))
  return { config: onDatabase(server, name), drop }
}

export function onDatabase(server: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!server.connectionString) return { ...server, database }
  const url = new URL(server.connectionString)
  url.pathname = `/${database}`
  return { ...server, connectionString: url.href }
}

/** Returns the DATABASE_URL that leads to the same database. */
export function databaseUrl(database: pg.ClientConfig): string {
  const { host, port, user, password, database: name } = new pg.Client(database)
  const secret = password ? `:${encodeURIComponent(password)}` : ''
  return `postgres://${user}${secret}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
}

export async function onServer<T>(server: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The template that is known to exist. */
let template: string | undefined

/** Makes the migrated template unless it is there. Returns its name. */
export async function ensureTemplate(client: pg.Client, server: pg.ClientConfig): Promise<string> {
  if (template) return template
  const name = `posthorn_template_${migrationsHash()}`
  await client.query('select pg_advisory_lock(7678846002)')
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rowCount === 0) await makeTemplate(client, server, name)
  } finally {
    await client.query('select pg_advisory_unlock(7678846002)')
  }
  template = name
  return name
}

/** Migrates under another name first, so that a killed run leaves no half-migrated template. */
async function makeTemplate(client: pg.Client, server: pg.ClientConfig, name: string): Promise<void> {
  const draft = `${name}_draft`
  await client.query(`drop database if exists ${draft} with (force)`)
  await client.query(`create database ${draft} template template0 encoding 'UTF8'`)
  const inside = new pg.Client(onDatabase(server, draft))
  await inside.connect()
  await migrate(inside).finally(() => inside.end())
  await client.query(`alter database ${draft} rename to ${name}`)
}

/** Returns a name for this version of the migrations. */
export function migrationsHash(): string {
  const folder = new URL('../migrations/', import.meta.url)
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(new URL(name, folder)))
  return hash.digest('hex').slice(0, 12)
}
