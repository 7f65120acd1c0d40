import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { after, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { createTestDatabase, databaseUrl, onDatabase, onServer, testServer } from '../test/database.ts'
import { startPooler } from '../test/pooler.ts'
import { slowTest } from '../test/slow.ts'
import { readConfig } from './config.ts'
import { openStorage } from './storage.ts'

const server = await testServer()
const migrated = await createTestDatabase(server)
after(() => migrated.drop())
const log = pino({ level: 'silent' })

async function open(url: string): Promise<void> {
  const storage = await openStorage(readConfig({ DATABASE_URL: url, DATA_DIR: tmpdir() }), log)
  await storage.close()
}

let made = 0

/** Creates an empty database, which is dropped after the tests. */
async function emptyDatabase(options: string): Promise<pg.ClientConfig> {
  const name = `posthorn_empty_${process.pid}_${++made}`
  await onServer(server, (client) => client.query(`create database ${name} template template0 ${options}`))
  after(() => onServer(server, (client) => client.query(`drop database ${name} with (force)`)))
  return onDatabase(server, name)
}

/** URL of the database as a role that owns it and is not a superuser, since no revoke stops a superuser. */
async function withoutSuperuser(database: pg.ClientConfig): Promise<string> {
  const url = databaseUrl(database)
  return onServer(server, async (client) => {
    const { rows } = await client.query('select rolsuper from pg_roles where rolname = current_user')
    if (!rows[0].rolsuper) return url
    const role = `posthorn_owner_${process.pid}`
    await client.query(`create role ${role}`)
    after(() => onServer(server, (client) => client.query(`drop role ${role}`)))
    await client.query(`alter database ${new pg.Client(database).database} owner to ${role}`)
    return `${url}&options=-crole%3D${role}`
  })
}

for (const encoding of ['LATIN1', 'SQL_ASCII']) {
  test(`a database with the encoding ${encoding} is refused before anything is made in it`, async () => {
    const database = await emptyDatabase(`encoding '${encoding}' locale 'C'`)
    await assert.rejects(open(databaseUrl(database)), {
      message: `DATABASE_URL must be a database with the encoding UTF8; it has ${encoding}. Make one: create database posthorn template template0 encoding 'UTF8'`,
    })
    const client = new pg.Client(database)
    await client.connect()
    const { rows } = await client.query(`select 1 from pg_class where relnamespace = 'public'::regnamespace`)
    await client.end()
    assert.deepEqual(rows, [])
  })
}

slowTest('a pooler in session mode is used, which refuses parameters of the start-up packet', async () => {
  const pooler = await startPooler(migrated.config, 'session')
  after(() => pooler.close())
  await open(databaseUrl(pooler.config))
})

test('a pooler in transaction mode is refused', async () => {
  const pooler = await startPooler(migrated.config, 'transaction')
  after(() => pooler.close())
  await assert.rejects(open(databaseUrl(pooler.config)), {
    message:
      'DATABASE_URL must lead to PostgreSQL directly or through a pooler in session mode; this pooler pools transactions or statements. With PgBouncer, set pool_mode = session for this database.',
  })
})

test('what the database refuses at the start is one line that names DATABASE_URL and what mends it', async () => {
  const refused: [setting: string, message: RegExp][] = [
    [
      'search_path = nowhere',
      /^DATABASE_URL must give a schema .* search_path nowhere\. Run: alter role .* in database .* set search_path = public/,
    ],
    [
      'default_transaction_read_only = on',
      /^DATABASE_URL must be a database that takes writes; run: alter database .* reset default_transaction_read_only/,
    ],
  ]
  for (const [setting, message] of refused) {
    const database = await emptyDatabase('')
    const { database: name } = new pg.Client(database)
    await onServer(server, (client) => client.query(`alter database ${name} set ${setting}`))
    await assert.rejects(open(databaseUrl(database)), { name: 'Error', message })
  }
})

test('a role that may not create tables is refused with the statement that mends it', async () => {
  const database = await emptyDatabase('')
  const name = new pg.Client(database).database!
  const inside = (text: string) => onServer(onDatabase(server, name), (client) => client.query(text))
  await inside('revoke create on schema public from pg_database_owner')
  const url = await withoutSuperuser(database)
  const error = await open(url).then(
    () => assert.fail(),
    (error: Error) => error,
  )
  const form =
    /^DATABASE_URL must name a role that may create tables in its database, such as the owner\. Run as a superuser: (grant all .*) \(permission denied for schema public\)$/
  const [, statement] = form.exec(error.message) ?? assert.fail(error.message)
  await inside(statement!)
  await open(url)
})
