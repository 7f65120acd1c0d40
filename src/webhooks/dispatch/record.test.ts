import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createWebhookApp } from '../fixtures/app.ts'

const posthorn = await createWebhookApp()

test('no connection keeps a plan for recording attempts, which may be from when there were few deliveries', async () => {
  const { team, receiver } = await posthorn.setUp()
  await posthorn.happenNow(team.id)
  assert.equal(receiver.received.length, 1)
  const kept = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
        posthorn.app.db,
      )
      return rows.map(({ statement }) => statement)
    }),
  )
  const count = (text: string) => kept.flat().filter((statement) => statement.includes(text)).length
  assert.ok(count('insert into webhook_deliveries') > 0)
  assert.equal(count('attempts = delivery.attempts + 1'), 0)
})
