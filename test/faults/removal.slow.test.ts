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
  /**
   * Kills the server between the first commit that removes rows of the table and the second. Returns the next server.
   */
  const killWithin = async (server: ServerProcess, table: string, begin: () => Promise<{ status: number }>) => {
    const all = await count(table)
    const held = await holdSecondPage(pool, table)
    assert.equal(Math.floor((await begin()).status / 100), 2)
    await until('the second page waits', held.isWaiting)
    const left = await count(table)
    assert.ok(0 < left && left < all, `${left} rows of ${all} left in ${table}`)
    await server.kill()
    await held.release()
    return start()
  }

  const bodies = () => count('email_contents where html is not null or text is not null')
  const owner = await signIn(first)
  const second = await killWithin(first, 'email_contents', () =>
    call(first, owner, 'PATCH', '/v1/team/retention', { emailBodiesDays: 0 }),
  )
  await until('all bodies are gone', async () => (await bodies()) === 0)
  const shown = (await call(second, key, 'GET', `/v1/emails/${ids[0]}`)).body as Body
  assert.deepEqual([shown.text, shown.status], [null, 'delivered'])
  assert.equal(((await call(second, key, 'GET', '/v1/emails?limit=1')).body as Body).total, emailsCount)

  const erase = { type: 'erase', email: 'ada@example.com' }
  const eraser = await signIn(second)
  let requestId = ''
  const third = await killWithin(second, 'emails', async () => {
    const answer = await call(second, eraser, 'POST', '/v1/privacy/requests', erase)
    requestId = (answer.body as { id: string }).id
    return answer
  })
  const reader = await signIn(third)
  const done = await until('the person is erased', async () => {
    const { body } = await call(third, reader, 'GET', `/v1/privacy/requests/${requestId}`)
    return (body as Body).status === 'done' && (body as Body)
  })
  const counts = Object.values((done as { counts?: Record<string, { left?: number }> }).counts ?? {})
  assert.ok(counts.length > 0 && counts.every(({ left }) => left === 0), JSON.stringify(done))
  assert.equal((await call(third, key, 'POST', '/v1/emails', email('Again'))).status, 422)

  await sendAll(third, key, 'bob@example.com')
  await killWithin(third, 'email_events', () => call(third, reader, 'DELETE', '/v1/team', { confirm: 'Sandbox' }))
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

/** Lets one transaction delete rows of the table, and makes the next one that tries wait until `release`. */
async function holdSecondPage(pool: pg.Pool, table: string) {
  const holder = await pool.connect()
  await holder.query(`
    create table removals (transaction xid8 primary key);
    create function wait_after_first() returns trigger language plpgsql as $$ begin
      insert into removals values (pg_current_xact_id()) on conflict do nothing;
      if exists (select from removals where transaction <> pg_current_xact_id()) then
        perform pg_advisory_xact_lock(1);
      end if;
      return null;
    end $$;
    create trigger wait_after_first before delete on ${table} for each statement execute function wait_after_first();
    select pg_advisory_lock(1);
  `)
  return {
    async isWaiting() {
      const { rows } = await pool.query(
        "select from pg_locks where locktype = 'advisory' and objid = 1 and not granted",
      )
      return rows.length > 0
    },
    async release() {
      await holder.query('select pg_advisory_unlock(1)')
      await holder.query('drop function wait_after_first cascade')
      await holder.query('drop table removals')
      holder.release()
    },
  }
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
