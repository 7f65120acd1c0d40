import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok } from '../../test/app.ts'
import { untilWaiting, whileLocked } from '../../test/while-locked.ts'
import { createAudience, readers } from '../broadcasts/fixtures/audience.ts'

const posthorn = await createTestApp()
const { app } = posthorn

const unsubscribe = (token: string) => posthorn.anyone.post(`/unsubscribe?token=${token}`)

test('requests to unsubscribe locked contacts hold up no other request, and unsubscribe them in the end', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const { contactIds, tokens } = await createAudience(posthorn, team, readers(20))
  const free = await createAudience(posthorn, other, readers(1))
  const lock = sql`select from contacts where id = any(${contactIds}::uuid[]) for no key update`
  const waiting = await whileLocked(app, lock, async () => {
    const answers = tokens.map(unsubscribe)
    await untilWaiting(app)
    assert.equal((await unsubscribe(free.tokens[0]!)).status, 200)
    assert.equal((await ok(other.api.get(`/v1/contacts/${free.contactIds[0]}`))).unsubscribed, true)
    return answers
  })
  for (const answer of waiting) assert.equal((await answer).status, 200)
  assert.deepEqual(await ok(team.api.get('/v1/contacts/count')), { total: 20, unsubscribed: 20 })
  assert.equal((await ok(team.api.get('/v1/suppressions?limit=100'))).data.length, 20)
})
