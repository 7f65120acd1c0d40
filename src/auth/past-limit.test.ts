import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { createTestApp } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { browsersOf } from './browser-sessions/fixtures/browser.ts'

const limit = 20
const posthorn = await createTestApp({ PUBLIC_REQUESTS_PER_MINUTE: String(limit) })
const { browser, send } = browsersOf(posthorn)

/** Counts the queries of this process while `work` runs. */
async function queriesOf(work: () => Promise<void>): Promise<number> {
  const { query } = pg.Client.prototype
  let count = 0
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    count++
    return Reflect.apply(query, this, given)
  } as typeof query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return count
}

const inventedCookie = () => ({ cookie: `posthorn_3000=${randomBytes(32).toString('base64url')}` })
const inventedKey = () => ({ authorization: `Bearer ph_${randomBytes(24).toString('hex')}` })

/** Sends requests one after the other, and returns their statuses. */
async function ask(count: number, headersOf: () => Record<string, string>) {
  const statuses = new Set<number>()
  for (let n = 0; n < count; n++) statuses.add((await send('GET', '/v1/contacts', headersOf())).status)
  return [...statuses]
}

slowTest(
  '1,000 requests past the limit with invented cookies cost fewer than 50 queries, and known callers are served',
  async () => {
    const team = await posthorn.team()
    const ada = await browser()
    assert.equal((await ada.ask('GET', '/v1/contacts')).status, 200)
    posthorn.clock.advance(60_000)
    const before = await queriesOf(async () => assert.deepEqual(await ask(limit, inventedCookie), [401]))
    assert.ok(before >= limit, `${before} queries within the limit`)
    assert.deepEqual(await ask(1, inventedCookie), [429])
    const past = await queriesOf(async () => assert.deepEqual(await ask(1000, inventedCookie), [429]))
    assert.ok(past < 50, `${past} queries past the limit`)
    assert.equal((await ada.ask('GET', '/v1/contacts')).status, 200)
    assert.equal((await team.api.get('/v1/contacts')).status, 200, 'a key that this process has not seen before')
  },
)

test('invented cookies, and invented keys, that come at the same time share their look-ups', async () => {
  for (const invented of [inventedCookie, inventedKey]) {
    posthorn.clock.advance(60_000)
    const count = await queriesOf(async () => {
      await Promise.all(Array.from({ length: limit }, () => send('GET', '/v1/contacts', invented())))
    })
    assert.ok(count <= 5, `${count} queries`)
  }
})
