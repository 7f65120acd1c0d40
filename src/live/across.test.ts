import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { createTestApp } from '../../test/app.ts'
import { until } from '../../test/patience.ts'
import { listenForHints } from './across.ts'
import type { Hint } from './hint.ts'
import { hubOf } from './hub.ts'

test('a process passes over what others notify its channel of, and goes on hearing changes', async () => {
  let database: pg.ClientConfig = {}
  const { app } = await createTestApp({}, { through: async (config) => (database = config) })
  const heard: Hint[] = []
  const stop = hubOf(app.jobs).listen({ teamIds: ['team'], hear: (hint) => heard.push(hint) })
  const listener = listenForHints(database, app)
  const notify = (payload: string) => sql`select pg_notify('posthorn_live', ${payload})`.execute(app.db)
  const tell = (hints: unknown) => notify(JSON.stringify({ from: 'another', hints }))
  const hears = (noun: string) =>
    until(async () => {
      await tell([['team', noun, ['1']]])
      return heard.some((hint) => noun in hint)
    })
  await hears('emails')
  for (const payload of ['', 'reload', '7', 'null', '[]', '{}', '{"from":7}']) await notify(payload)
  for (const hints of [null, 7, {}, [null], [[]], [['team', 'sms', null]], [['team', 7, []]]]) await tell(hints)
  await hears('contacts')
  assert.deepEqual(new Set(heard.flatMap(Object.keys)), new Set(['emails', 'contacts']))
  stop()
  await listener.close()
})
