import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { onServer } from '../../../test/database.ts'
import { slowTest } from '../../../test/slow.ts'
import { createCommandLine } from '../fixtures/command-line.ts'
import { emptyDatabase } from '../fixtures/restored.ts'

const { folder, run, runWith } = await createCommandLine()

test('migrate --check exits with 0 when nothing is pending, and with 3 and the names when something is', async () => {
  const done = await run('migrate', '--check')
  assert.deepEqual([done.code, done.stdout, done.stderr], [0, 'The database is up to date.\n', ''])
  const { config, environment } = await emptyDatabase('migrated')
  const forget = "delete from migrations where name like '008%_feed%'"
  await onServer(config, (client) => client.query(forget))
  const pending = await runWith(environment, 'migrate', '--check')
  assert.deepEqual([pending.code, pending.stdout], [3, 'Pending: 0089_feed.sql, 0089_feed_index.sql.\n'])
})

test('migrate --check changes nothing: it makes neither the table of migrations nor an embedded database', async () => {
  const { config, environment } = await emptyDatabase()
  const { code, stdout } = await runWith(environment, 'migrate', '--check')
  assert.deepEqual([code, stdout.startsWith('Pending: 0001_platform.sql, ')], [3, true])
  const tables = "select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace"
  assert.equal((await onServer(config, (client) => client.query(tables))).rows[0].count, 0)
  const DATA_DIR = join(folder, 'none')
  assert.equal((await runWith({ DATABASE_URL: '', DATA_DIR }, 'migrate', '--check')).code, 3)
  assert.equal(existsSync(DATA_DIR), false)
})

test('migrate --check fails where a start would: with a newer database, and with one that does not answer', async () => {
  const { config, environment } = await emptyDatabase('migrated')
  await onServer(config, (client) => client.query("insert into migrations (name) values ('9999_newer.sql')"))
  const newer = await runWith(environment, 'migrate', '--check')
  assert.equal(newer.code, 1)
  assert.match(
    newer.stderr,
    /has migration 9999_newer\.sql, which this version does not know: run a newer version\.\n$/,
  )
  const refusing = await runWith({ DATABASE_URL: 'postgres://a@127.0.0.1:1/b' }, 'migrate', '--check')
  assert.equal(refusing.code, 1)
  assert.match(refusing.stderr, /^DATABASE_URL must be a PostgreSQL server that accepts this login: .*ECONNREFUSED/)
})

slowTest('a database that takes connections and does not answer ends the command', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { code, stderr } = await runWith({ DATABASE_URL: `postgres://a@127.0.0.1:${port}/b` }, 'migrate', '--check')
  silent.close()
  assert.equal(code, 1)
  assert.match(stderr, /^DATABASE_URL must be a PostgreSQL server that accepts this login: /)
})
