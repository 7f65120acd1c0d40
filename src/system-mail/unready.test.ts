import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../test/app.ts'
import { publish } from '../platform/events.ts'
import { createSystemMailApp } from './fixtures/system-team.ts'

test('without a verified domain no system mail is sent, and nothing else breaks', async () => {
  const unready = await createSystemMailApp({ SYSTEM_FROM: 'hello@not-added.test' })
  const userId = await unready.person('ada@people.test')
  const data = { userId }
  const event = { type: 'account.reset_requested', teamId: unready.systemTeam.id, data } as const
  await unready.app.transaction((tx) => publish(tx, [event]))
  assert.deepEqual(await unready.mailTo('ada@people.test'), [])
  assert.equal(await unready.runDueJobs(), 0)
})

test('without SYSTEM_FROM no job is added', async () => {
  const without = await createTestApp()
  const data = { userId: '01890a5d-ac96-774b-bcce-b302099a8057' }
  const event = { type: 'account.reset_requested', teamId: data.userId, data } as const
  await without.app.transaction((tx) => publish(tx, [event]))
  const { rows } = await sql`select from jobs where kind = 'system-mail.send'`.execute(without.app.db)
  assert.equal(rows.length, 0)
})
