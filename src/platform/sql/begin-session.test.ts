import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { createTestApp } from '../../../test/app.ts'
import { systemClock } from '../time/clock.ts'
import { syncClock } from '../time/sync-clock.ts'

/** Settings that an operator may have given the database, and that change what statements mean or how answers look. */
const unusual = {
  default_transaction_isolation: 'serializable',
  datestyle: 'German, DMY',
  intervalstyle: 'sql_standard',
  timezone: 'Pacific/Auckland',
  standard_conforming_strings: 'off',
  bytea_output: 'escape',
  statement_timeout: '1h',
}

const posthorn = await createTestApp(
  {},
  {
    async through(database) {
      const client = new pg.Client(database)
      await client.connect()
      for (const [name, value] of Object.entries(unusual)) {
        await client.query(`alter database ${client.escapeIdentifier(client.database!)} set ${name} = '${value}'`)
      }
      await client.end()
      return database
    },
  },
)

test('many requests at once succeed, whatever the default settings of the database are', async () => {
  const { api, domain } = await posthorn.team()
  const post = (at: number) =>
    Promise.all([
      api.post('/v1/emails', { from: `a@${domain}`, to: ['ada@example.com'], subject: `No. ${at} \\ 'x'`, text: 'x' }),
      api.post('/v1/contacts', { email: `ada${at}@example.com` }),
    ])
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => post(at)))
  for (const { status, text } of answers.flat()) assert.equal(status, 200, text)
  const { body } = await api.get(`/v1/emails/${answers[0]![0].body.id}`)
  assert.equal(body.subject, "No. 0 \\ 'x'")
  assert.equal(body.createdAt, posthorn.clock.now().toISOString())
})

test('a statement ends after eight seconds, whatever the database or the role allows', async () => {
  const { rows } = await sql<{ allowed: string }>`select current_setting('statement_timeout') as allowed`.execute(
    posthorn.app.db,
  )
  assert.equal(rows[0]!.allowed, '8s')
})

test('the time of the database is read, whatever its date style is', async () => {
  const clock = systemClock()
  await syncClock(posthorn.app.db, clock)
})
