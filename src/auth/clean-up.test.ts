import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import { cleanUpLogins } from './clean-up.ts'

const posthorn = await createTestApp()
const { app } = posthorn
const password = 'a long and winding road'
const days = 24 * 3_600_000

async function rowsOf(table: 'refresh_tokens' | 'login_failures'): Promise<number> {
  const row = await app.db.selectFrom(table).select(app.db.fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  return Number(row.count)
}

test('failures are removed once they no longer count, logins once they can no longer be refreshed', async () => {
  const ada = { email: 'ada@example.com', password }
  await posthorn.anyone.post('/auth/signup', ada)
  await posthorn.anyone.post('/auth/login', { ...ada, password: 'not the password' })
  const left = async () => {
    await cleanUpLogins.run(app)
    return [await rowsOf('refresh_tokens'), await rowsOf('login_failures')]
  }
  assert.deepEqual(await left(), [1, 2], 'the account and the address')
  posthorn.clock.advance(15 * 60_000 + 1)
  assert.deepEqual(await left(), [1, 0])
  posthorn.clock.advance(29 * days)
  assert.deepEqual(await left(), [1, 0])
  posthorn.clock.advance(1 * days)
  assert.deepEqual(await left(), [0, 0])
})
