// needs: alone
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { createTestApp, ok, type TestApp, type TestTeam } from '../../../test/app.ts'
import { createTestDatabase, testServer } from '../../../test/database.ts'
import { promptMs } from '../../../test/patience.ts'
import { migrate } from './migrate.ts'

/** Returns a folder with our migrations and these. */
function folderWith(context: TestContext, migrations: Record<string, string>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-migrations-'))
  context.after(() => rmSync(folder, { recursive: true }))
  cpSync(new URL('../../../migrations/', import.meta.url), folder, { recursive: true })
  for (const [name, text] of Object.entries(migrations)) writeFileSync(join(folder, name), text)
  return pathToFileURL(`${folder}/`)
}

/** Posts emails one after the other until `isOver`. Returns the longest wait for an answer, in ms. */
async function sendUntil({ clock }: TestApp, { api, domain }: TestTeam, isOver: () => boolean): Promise<number> {
  let longestMs = 0
  while (!isOver()) {
    // Below the limits of the plan.
    clock.advance(100)
    const begun = performance.now()
    const email = { from: `a@${domain}`, to: ['ada@people.test'], subject: 'Hello', text: 'Hello' }
    await ok(api.post('/v1/emails', email))
    longestMs = Math.max(longestMs, performance.now() - begun)
  }
  return longestMs
}

test('a migration that meets a long read gives way to writers, and runs when the read has ended', async () => {
  const database = await createTestDatabase(await testServer())
  const [reader, writer, migrating] = [1, 2, 3].map(() => new pg.Client(database.config)) as [
    pg.Client,
    pg.Client,
    pg.Client,
  ]
  for (const client of [reader, writer, migrating]) await client.connect()
  await writer.query(`
    delete from migrations where name = '0061_email_indexes.sql';
    create index emails_status on emails (status);
    create index emails_dispatching on emails (dispatching)`)
  await reader.query('begin; select count(*) from emails')
  const ran = migrate(migrating)
  await sleep(500)
  // The read does not end before, so a writer that is not given way to waits for ever.
  await writer.query(`set statement_timeout = ${promptMs}; update emails set subject = 'x'`)
  await sleep(2000)
  await reader.query('commit')
  assert.deepEqual(await ran, ['0061_email_indexes.sql'])
  for (const client of [reader, writer, migrating]) await client.end()
  await database.drop()
})

test('of processes that start at once one migrates, and the others wait and find nothing to do', async () => {
  const database = await createTestDatabase(await testServer())
  const clients = Array.from({ length: 3 }, () => new pg.Client(database.config))
  for (const client of clients) await client.connect()
  await clients[0]!.query('drop schema public cascade; create schema public')
  const ran = await Promise.all(clients.map((client) => migrate(client)))
  const files = (await readdir(new URL('../../../migrations/', import.meta.url))).filter((name) =>
    name.endsWith('.sql'),
  )
  assert.deepEqual(ran.flat(), files.sort())
  assert.deepEqual(ran.map((names) => names.length > 0).filter(Boolean), [true])
  for (const client of clients) await client.end()
  await database.drop()
})

/** The index takes six seconds for its emails, whatever the speed of the machine: it looks at each of them twice. */
const slowIndex = `-- outside a transaction
create index concurrently emails_slowly on emails (team_id, slowly(subject));`
const emailsMany = 1500

test('while an index of many emails is built and a column is added, no send waits for longer than a second', async (context) => {
  let config: pg.ClientConfig = {}
  const through = async (database: pg.ClientConfig) => {
    config = database
    return database
  }
  const posthorn = await createTestApp({}, { through })
  const team = await posthorn.team()
  const client = new pg.Client(config)
  await client.connect()
  await client.query(`
    create function slowly(value text) returns text language plpgsql immutable as $$
      begin perform pg_sleep(0.001); return value; end
    $$`)
  await client.query(
    `insert into emails (team_id, id, domain_id, domain_name, from_address, to_addresses, subject, status, message_id, created_at)
     select $1, gen_random_uuid(), $2, $3, 'a@' || $3, array['ada@people.test'], 'Hello', 'delivered', 'of ' || n, now()
     from generate_series(1, $4::int) as n`,
    [team.id, team.domainId, team.domain, emailsMany],
  )
  const times = (many: number) => () => many-- === 0
  await sendUntil(posthorn, team, times(20))
  const usualMs = Math.max(...(await Promise.all([1, 2, 3].map(() => sendUntil(posthorn, team, times(100))))))
  const ran = { names: [] as string[], isOver: false }
  const folder = folderWith(context, {
    '9001_slow.sql': slowIndex,
    '9002_column.sql': 'alter table emails add column slowly text;',
  })
  const migrating = migrate(client, folder)
    .then((names) => ran.names.push(...names))
    .finally(() => {
      ran.isOver = true
    })
  const longestMs = await Promise.all([1, 2, 3].map(() => sendUntil(posthorn, team, () => ran.isOver)))
  await migrating
  await client.end()
  assert.deepEqual(ran.names, ['9001_slow.sql', '9002_column.sql'])
  assert.ok(Math.max(...longestMs) < Math.max(1000, 3 * usualMs), `${longestMs} ms, and ${usualMs} ms before`)
})

test('an index whose building was killed is built anew, and one that was built stays', async (context) => {
  const database = await createTestDatabase(await testServer())
  const client = new pg.Client(database.config)
  await client.connect()
  context.after(async () => {
    await client.end()
    await database.drop()
  })
  await client.query(`
    create table numbers (first int, second int);
    insert into numbers values (1, 1), (1, 2)`)
  const folder = folderWith(context, {
    '9001_numbers.sql': `-- outside a transaction
      create unique index concurrently numbers_second on numbers (second);
      create unique index concurrently numbers_first on numbers (first);`,
  })
  await assert.rejects(
    migrate(client, folder),
    /9001_numbers.sql failed: could not create unique index "numbers_first"/,
  )
  const indexes = async () => {
    const { rows } = await client.query<{ index: string; oid: number; valid: boolean }>(
      `select indexrelid::regclass::text as index, indexrelid::int as oid, indisvalid as valid from pg_index
       where indrelid = 'numbers'::regclass order by 1 desc`,
    )
    return rows
  }
  const [second, first] = await indexes()
  assert.deepEqual([second!.valid, first!.valid], [true, false])
  await client.query('delete from numbers where second = 2')
  assert.deepEqual(await migrate(client, folder), ['9001_numbers.sql'])
  assert.deepEqual(
    (await indexes()).map(({ index, oid, valid }) => [index, oid === second!.oid, valid]),
    [
      ['numbers_second', true, true],
      ['numbers_first', false, true],
    ],
  )
  assert.deepEqual(await migrate(client, folder), [])
})

test('two processes that start at the same time build an index once', async (context) => {
  const database = await createTestDatabase(await testServer())
  const clients = [1, 2].map(() => new pg.Client(database.config))
  for (const client of clients) await client.connect()
  context.after(async () => {
    for (const client of clients) await client.end()
    await database.drop()
  })
  await clients[0]!.query('create table numbers (first int)')
  const folder = folderWith(context, {
    '9001_numbers.sql': '-- outside a transaction\ncreate index concurrently numbers_first on numbers (first);',
  })
  const ran = await Promise.all(clients.map((client) => migrate(client, folder)))
  assert.deepEqual(ran.flat(), ['9001_numbers.sql'])
})
