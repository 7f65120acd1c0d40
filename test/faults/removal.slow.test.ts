// needs: waiting
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/start.ts'
import type { ServerProcess } from '../server-process.ts'
import { call, createWorkshop, email, until } from './installation.ts'

const workshop = await createWorkshop()
const emailsCount = 3000
const batchSize = 100

type Body = Record<string, never>

test('data that is removed by age, for a person and with its team is gone whole, whenever its process is killed', async () => {
  const { first, start, key, dataDir } = await workshop.install({ EMAIL_PROVIDER: 'capture' })
  const password = /password {3}(\S+)/.exec(first.output())![1]
  const ids = await sendAll(first, key)
  const { pool, close } = await connect(dataDir)
  const count = async (condition: string) =>
    Number((await pool.query(`select count(*) from ${condition}`)).rows[0].count)
  const signIn = async (server: ServerProcess) => {
    const { body } = await call(server, '', 'POST', '/auth/login', { email: 'dev@posthorn.test', password })
    return (body as { accessToken: string }).accessToken
  }
  /** Kills the server once some rows are gone and some are left. Returns the next one. */
  const killWithin = async (server: ServerProcess, left: () => Promise<number>, all: number) => {
    await until('the first page is gone', async () => (await left()) < all)
    await server.kill()
    const rest = await left()
    assert.ok(rest > 0, 'killed within')
    return start()
  }

  const bodies = () => count('email_contents where html is not null or text is not null')
  const all = await bodies()
  const owner = await signIn(first)
  assert.equal((await call(first, owner, 'PATCH', '/v1/team/retention', { emailBodiesDays: 0 })).status, 200)
  const second = await killWithin(first, bodies, all)
  await until('all bodies are gone', async () => (await bodies()) === 0)
  const shown = (await call(second, key, 'GET', `/v1/emails/${ids[0]}`)).body as Body
  assert.deepEqual([shown.text, shown.status], [null, 'delivered'])
  assert.equal(((await call(second, key, 'GET', '/v1/emails?limit=1')).body as Body).total, emailsCount)

  const emails = () => count("emails where 'ada@example.com' = any(to_addresses)")
  const erase = { type: 'erase', email: 'ada@example.com' }
  const { body: request } = await call(second, await signIn(second), 'POST', '/v1/privacy/requests', erase)
  const third = await killWithin(second, emails, emailsCount)
  const reader = await signIn(third)
  const done = await until('the person is erased', async () => {
    const { body } = await call(third, reader, 'GET', `/v1/privacy/requests/${(request as Body).id}`)
    return (body as Body).status === 'done' && (body as Body)
  })
  const counts = Object.values((done as { counts?: Record<string, { left?: number }> }).counts ?? {})
  assert.ok(counts.length > 0 && counts.every(({ left }) => left === 0), JSON.stringify(done))
  assert.equal((await call(third, key, 'POST', '/v1/emails', email('Again'))).status, 422)

  await sendAll(third, key, 'bob@example.com')
  const events = () => count('email_events')
  const before = await events()
  const deleted = await call(third, await signIn(third), 'DELETE', '/v1/team', { confirm: 'Sandbox' })
  assert.equal(deleted.status, 200, JSON.stringify(deleted.body))
  await killWithin(third, events, before)
  await until('the team is gone', async () => (await count('teams')) === 0)
  for (const table of ['emails', 'email_events', 'inbox_messages', 'api_keys', 'domains', 'suppressions']) {
    assert.equal(await count(table), 0, table)
  }
  await close()
})

async function sendAll(server: ServerProcess, key: string, to = 'ada@example.com'): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < emailsCount) {
    const emails = Array.from({ length: batchSize }, (_, index) => email(`News ${index}`, { to: [to] }))
    const { status, body } = await call(server, key, 'POST', '/v1/emails/batch', { emails })
    assert.equal(status, 200, JSON.stringify(body))
    ids.push(...(body as { data: { id: string }[] }).data.map(({ id }) => id))
  }
  return ids
}

/** Connects to the embedded database, which goes on while the server is killed. */
async function connect(dataDir: string) {
  const quiet = { info: () => undefined, warn: () => undefined }
  const database = await startEmbeddedPostgres({ dataDir, log: quiet })
  const pool = new pg.Pool(database.connection())
  return {
    pool,
    async close() {
      await pool.end()
      await database.stop()
    },
  }
}
