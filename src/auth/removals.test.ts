import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'

const posthorn = await createTestApp()
const password = 'a long and winding road'
const hourMs = 3_600_000

async function countRows(table: 'refresh_tokens' | 'login_failures'): Promise<number> {
  const { db } = posthorn.app
  const row = await db.selectFrom(table).select(db.fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  return Number(row.count)
}

test('failures are removed once they no longer count, logins once they can no longer be refreshed', async () => {
  const ada = { email: 'ada@example.com', password }
  await posthorn.anyone.post('/auth/signup', ada)
  await posthorn.anyone.post('/auth/login', { ...ada, password: 'not the password' })
  const left = async () => {
    await posthorn.runDueJobs()
    return { logins: await countRows('refresh_tokens'), failures: await countRows('login_failures') }
  }
  assert.deepEqual(await left(), { logins: 1, failures: 3 }, 'of the account, of the address, and of both')
  posthorn.clock.advance(2 * hourMs)
  assert.deepEqual(await left(), { logins: 1, failures: 0 })
  posthorn.clock.advance(29 * 24 * hourMs)
  assert.deepEqual(await left(), { logins: 1, failures: 0 })
  posthorn.clock.advance(24 * hourMs)
  assert.deepEqual(await left(), { logins: 0, failures: 0 })
})
