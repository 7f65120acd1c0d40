import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { migrate } from '../src/platform/migrate/migrate.ts'
import { likeAnyCase } from '../src/platform/sql/like.ts'
import { createTestApp } from './app.ts'
import { onDatabase, onServer, testServer } from './database.ts'

const name = `posthorn_turkish_${process.pid}`
const server = await testServer()
await onServer(server, (client) =>
  client.query(`
    create database ${name} template template0 encoding 'UTF8' locale_provider icu icu_locale 'tr-TR' locale 'C'`),
)
after(() => onServer(server, (client) => client.query(`drop database ${name} with (force)`)))

/** An app on a database whose locale is Turkish: the small form of I is ı there, and the large form of i is İ. */
const posthorn = await createTestApp(
  {},
  {
    async through() {
      const client = new pg.Client(onDatabase(server, name))
      await client.connect()
      await migrate(client).finally(() => client.end())
      return onDatabase(server, name)
    },
  },
)
const { api, domain } = await posthorn.team()

const found = async (path: string) => (await api.get(path)).body.data.length

test('a Turkish database finds words with I in any case', async () => {
  const subject = 'WIFI at ISPARTA: Important Info'
  await api.post('/v1/emails', { from: `INFO@${domain}`, to: ['Ada <INFO@EXAMPLE.COM>'], subject, text: 'x' })
  await api.post('/v1/contacts', { email: 'ida@example.com', firstName: 'IDA' })
  await api.post('/v1/suppressions', { email: 'identity@example.com' })
  for (const word of ['wifi', 'WIFI', 'WiFi', 'ısparta', 'isparta', 'IMPORTANT', `info@${domain}`]) {
    assert.equal(await found(`/v1/emails?search=${encodeURIComponent(word)}`), 1, word)
  }
  assert.equal(await found('/v1/emails?find=info@example.com'), 1)
  assert.equal(await found('/v1/inbox?search=wifi'), 1)
  for (const word of ['ida', 'IDA']) assert.equal(await found(`/v1/contacts?search=${word}`), 1, word)
  assert.equal(await found('/v1/suppressions?search=IDENTITY'), 1)
  assert.equal(await found('/v1/emails?search=wofo'), 0)
})

test('the indexes of searches hold the same letters', async () => {
  const plan = await posthorn.app.db.connection().execute(async (db) => {
    await sql`set enable_seqscan = off`.execute(db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select from emails where team_id = gen_random_uuid() and ${likeAnyCase(sql`subject`, '%wifi%')}
    `.execute(db)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  assert.match(plan, /emails_search/)
})
