import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createTestDatabase, testServer } from '../../test/database.ts'
import { migrate } from './migrate.ts'

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
  await writer.query("set statement_timeout = '4s'; update emails set subject = 'x'")
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
  const files = (await readdir(new URL('../../migrations/', import.meta.url))).filter((name) => name.endsWith('.sql'))
  assert.deepEqual(ran.flat(), files.sort())
  assert.deepEqual(ran.map((names) => names.length > 0).filter(Boolean), [true])
  for (const client of clients) await client.end()
  await database.drop()
})
