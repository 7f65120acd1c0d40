import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import pg from 'pg'
import { pino } from 'pino'
import { type Answer, createTestApp, type TestApp } from './app.ts'
import { databaseProxy } from './database-proxy.ts'
import { patienceMs } from './patience.ts'
import { listen } from './wire.ts'

const logged: string[] = []
const log = pino(
  { level: 'trace' },
  new Writable({ write: (chunk, _encoding, done) => done(void logged.push(String(chunk))) }),
)
const proxy = databaseProxy()
let database: pg.ClientConfig = {}
const through = (given: pg.ClientConfig) => {
  database = given
  return proxy.through(given)
}
const posthorn = await createTestApp({ LOG_LEVEL: 'trace' }, { log, through })
after(() => proxy.close())

test('exactly as many parallel requests pass as the minute has left', async () => {
  const team = await posthorn.team({ limits: { apiRequestsPerMinute: 20 } })
  const answers = await Promise.all(Array.from({ length: 50 }, () => team.api.get('/v1/rate-limits')))
  const passed = answers.filter(({ status }) => status === 200)
  assert.equal(passed.length, 20)
  const refused = answers.find(({ status }) => status === 429)!
  assert.equal(refused.body.name, 'rate_limit_exceeded')
  assert.equal(refused.headers['retry-after'], '60')
  posthorn.clock.advance(60_000)
  assert.equal((await team.api.get('/v1/rate-limits')).status, 200)
})

test('exactly as many parallel emails are accepted as the day has left', async () => {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 7 } })
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send(team, `${n}@shop.test`)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 7)
  assert.equal((await team.api.get('/v1/emails')).body.total, 7)
  const refused = answers.find(({ status }) => status === 429)!
  assert.deepEqual(refused.body, { error: 'DAILY_EMAIL_LIMIT_EXCEEDED', limit: 7, remaining: 0 })
})

function send({ api, domain }: Awaited<ReturnType<TestApp['team']>>, to: string, fields: object = {}): Promise<Answer> {
  return api.post('/v1/emails', { from: `a@${domain}`, to: [to], subject: 'Hello', text: 'Hello', ...fields })
}

test('the log has neither secrets nor bodies, at any level', async () => {
  logged.length = 0
  const secrets = await useEverySecret()
  const found = secrets.filter(([, secret]) => logged.some((line) => line.includes(secret)))
  assert.ok(logged.length > 10, 'the log was captured')
  assert.deepEqual(
    found.map(([name]) => name),
    [],
  )
})

test('secrets are in the database as hashes or encrypted', async () => {
  const secrets = (await useEverySecret()).filter(([name]) => !name.startsWith('body'))
  const { rows: tables } = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(posthorn.app.db)
  for (const { name: table } of tables) {
    const { rows } = await sql<{
      row: string
    }>`select row_to_json(t)::text as row from ${sql.table(table)} as t`.execute(posthorn.app.db)
    const found = secrets.filter(([, secret]) => rows.some(({ row }) => row.includes(secret)))
    assert.deepEqual(
      found.map(([name]) => name),
      [],
      `in table ${table}`,
    )
  }
})

/** Sends each kind of secret in requests that succeed, fail and break. Returns the secrets by name. */
async function useEverySecret(): Promise<[string, string][]> {
  const team = await posthorn.team()
  const password = 'Correct-Horse-4711'
  const email = `secret${team.domain}@people.test`
  const { body: session } = await posthorn.anyone.post('/auth/signup', { email, password })
  const user = posthorn.as(session.accessToken)
  await posthorn.anyone.post('/auth/login', { email, password: 'Wrong-Horse-4711' })
  await posthorn.anyone.post('/auth/login', `{"email":"${email}","password":"${password}"`)
  const { body: setup } = await user.post('/auth/2fa/setup')
  const code = new TOTP({ secret: setup.secret }).generate({ timestamp: posthorn.clock.now().getTime() })
  const { body: verified } = await user.post('/auth/2fa/verify', { code })
  const { body: renewed } = await posthorn.anyone.post('/auth/refresh', { refreshToken: session.refreshToken })
  const { body: key } = await team.api.post('/v1/api-keys', { name: 'Logged', permission: 'full_access' })
  await posthorn.as(key.key).get('/v1/emails')
  await posthorn.as(`${key.key}x`).get('/v1/emails')
  await send(team, 'ada@people.test', {
    text: 'Body-Of-Mail-4711',
    html: '<p>Html-Of-Mail-4711</p>',
    headers: { 'X-Own': 'own' },
  })
  await send(team, 'not an address', { text: 'Body-Of-Mail-4711' })
  const credential = { name: 'Shop', type: 'bearer', secret: { token: 'Credential-4711' } }
  await team.api.post('/v1/credentials', credential)
  await team.api.post('/v1/credentials', { ...credential, type: 'basic' })
  proxy.cut()
  await send(team, 'ada@people.test', { text: 'Body-Of-Mail-4711' })
  await team.api.post('/v1/credentials', credential)
  await posthorn.anyone.post('/auth/login', { email, password })
  await mend()
  return [
    ['password', password],
    ['wrong password', 'Wrong-Horse-4711'],
    ['access token', session.accessToken],
    ['refresh token', session.refreshToken],
    ['rotated refresh token', renewed.refreshToken],
    ['two-factor secret', setup.secret],
    ['recovery code', verified.recoveryCodes[0]],
    ['API key', key.key],
    ['credential', 'Credential-4711'],
    ['test key', team.key],
    ['body as text', 'Body-Of-Mail-4711'],
    ['body as html', 'Html-Of-Mail-4711'],
  ]
}

/** Waits until the process has recovered: the first requests may still use lost connections. */
async function mend(): Promise<void> {
  proxy.mend()
  for (let attempt = 1; (await posthorn.anyone.get('/ready')).status !== 200; attempt++)
    assert.ok(attempt < 20, 'not ready again')
}

test('without its database the process answers 503 with Retry-After within 10 s, and recovers without a restart', async () => {
  const team = await posthorn.team()
  proxy.cut()
  const began = performance.now()
  const answers = await Promise.all([
    team.api.get('/v1/emails'),
    send(team, 'ada@people.test'),
    posthorn.anyone.post('/auth/login', { email: 'ada@people.test', password: 'correct horse' }),
    posthorn.anyone.get('/ready'),
  ])
  assert.ok(performance.now() - began < 10_000)
  for (const { status, body, headers } of answers) {
    assert.equal(status, 503, JSON.stringify(body))
    assert.equal(body.name, 'unavailable')
    assert.ok(Number(headers['retry-after']) >= 1)
    assert.ok(headers['x-ratelimit-limit'])
    assert.ok(headers['x-request-id'])
  }
  assert.equal((await posthorn.anyone.get('/health')).status, 200)
  await mend()
  assert.equal((await send(team, 'ada@people.test')).status, 200)
  assert.equal((await team.api.get('/v1/emails')).body.total, 1)
})

test('while the database is read-only, writes and /ready are 503, reads work, and the process recovers without a restart', async () => {
  const team = await posthorn.team()
  const setReadOnly = async (value: 'on' | 'off') => {
    const client = new pg.Client({ ...database, options: '-c default_transaction_read_only=off' })
    await client.connect()
    const { rows } = await client.query('select current_database() as name')
    await client.query(`alter database ${rows[0].name} set default_transaction_read_only = ${value}`)
    await client.end()
  }
  await setReadOnly('on')
  // Simulates a switchover: new connections are read-only.
  proxy.cut()
  proxy.mend()
  while ((await team.api.get('/v1/emails')).status !== 200);
  for (const answer of [await send(team, 'ada@people.test'), await posthorn.anyone.get('/ready')]) {
    assert.equal(answer.status, 503, answer.text)
    assert.equal(answer.body.name, 'unavailable')
    assert.ok(Number(answer.headers['retry-after']) >= 1)
  }
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
  await Promise.all(Array.from({ length: 10 }, () => team.api.get('/v1/emails')))
  await setReadOnly('off')
  // Open connections stay read-only, like connections to a demoted primary. The first refusal replaces all of them.
  assert.equal((await posthorn.anyone.get('/ready')).status, 503)
  assert.equal((await posthorn.anyone.get('/ready')).status, 200)
  assert.equal((await send(team, 'ada@people.test')).status, 200)
})

test('a process that stops finishes the requests in flight', async () => {
  const other = await createTestApp()
  const team = await other.team()
  const port = await listen(other)
  const body = new TransformStream<Uint8Array, Uint8Array>()
  const writer = body.writable.getWriter()
  const answer = fetch(`http://127.0.0.1:${port}/v1/templates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
    body: body.readable,
    duplex: 'half',
  } as RequestInit)
  const arrived = once(other.server.server, 'request')
  await writer.write(Buffer.from('{"name":'))
  await arrived
  await other.anyone.get('/health')
  const closed = other.close(patienceMs)
  await writer.write(Buffer.from('"In flight"}'))
  await writer.close()
  assert.equal((await answer).status, 200)
  await closed
  await assert.rejects(fetch(`http://127.0.0.1:${port}/health`))
})
