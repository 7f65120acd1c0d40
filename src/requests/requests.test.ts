import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { until } from '../../test/patience.ts'
import { password } from '../../test/person.ts'
import { slowTest } from '../../test/slow.ts'
import { openLog } from './fixtures/log.ts'

const { posthorn, flush, noteOf, member } = await openLog()
const { app, clock } = posthorn
const dayMs = 86_400_000

test('a request is listed with who made it and how it was answered, without its query and body', async () => {
  const { key, keyId, list, api, userId } = await member()
  const refused = await key.post('/v1/suppressions?email=a', { email: 'secret@people.test' })
  assert.equal(refused.status, 400)
  const { data } = await list(`apiKeyId=${keyId}`)
  const [{ durationMs, ...entry }] = data
  assert.ok(durationMs >= 0)
  assert.deepEqual(entry, {
    ...{ requestId: refused.headers['x-request-id'], at: clock.now().toISOString(), method: 'POST' },
    ...{ path: '/v1/suppressions', status: 400, apiKeyId: keyId, userId: null, address: '127.0.0.1' },
    errorName: 'validation_error',
  })
  assert.deepEqual((await api.get(`/v1/requests/${entry.requestId}`)).body, data[0])
  const own = (await list('path=/v1/api-keys')).data[0]
  assert.deepEqual([own.userId, own.apiKeyId, own.status, own.errorName], [userId, null, 200, null])
  assert.ok(!JSON.stringify(await list('limit=100')).includes('secret@people.test'))
})

test('filters by status, path, key and time narrow the list, and hold together', async () => {
  const { key, keyId, api, paths } = await member()
  await key.get('/v1/domains')
  await key.get('/v1/nothing')
  clock.advance(60_000)
  const from = encodeURIComponent(clock.now().toISOString())
  await key.get('/v1/topics')
  await api.get('/v1/topics')
  assert.deepEqual(await paths('status=404'), ['/v1/nothing'])
  assert.deepEqual(await paths('path=/v1/domains&status=200'), ['/v1/domains'])
  assert.deepEqual(await paths(`apiKeyId=${keyId}`), ['/v1/topics', '/v1/nothing', '/v1/domains'])
  assert.deepEqual(await paths(`apiKeyId=${keyId}&from=${from}`), ['/v1/topics'])
  assert.deepEqual(await paths(`apiKeyId=${keyId}&until=${from}`), ['/v1/nothing', '/v1/domains'])
  assert.deepEqual(await paths(`apiKeyId=${keyId}&status=500`), [])
})

test('the pages hold each request once, newest first', async () => {
  const { key, keyId, list, api } = await member()
  for (const path of ['a', 'b', 'c', 'd', 'e']) await key.get(`/v1/${path}`)
  const page = async (cursor: string) => (await api.get(`/v1/requests?apiKeyId=${keyId}&limit=2${cursor}`)).body
  await flush()
  const first = await page('')
  await key.get('/v1/late')
  await flush()
  const second = await page(`&cursor=${first.cursor}`)
  const third = await page(`&cursor=${second.cursor}`)
  const walked = [first, second, third].flatMap(({ data }) => data.map(({ path }: { path: string }) => path))
  assert.deepEqual(walked, ['/v1/e', '/v1/d', '/v1/c', '/v1/b', '/v1/a'])
  assert.equal((await list(`apiKeyId=${keyId}&limit=100`)).data.length, 6)
})

test('requests of another team are not visible, and requests without a caller are not kept', async () => {
  const [ours, theirs] = [await member(), await member()]
  const { headers } = await theirs.key.get('/v1/domains')
  await posthorn.anyone.post('/v1/workflows/triggers/a-secret-trigger-key', {})
  await posthorn.anyone.get('/unsubscribe/a-secret-token')
  await posthorn.as('ph_0000000000000000000000000000000000000000').get('/v1/domains')
  await flush()
  assert.equal((await ours.api.get(`/v1/requests/${headers['x-request-id']}`)).status, 404)
  assert.equal((await theirs.api.get(`/v1/requests/${headers['x-request-id']}`)).status, 200)
  assert.deepEqual(await ours.paths(`apiKeyId=${theirs.keyId}`), [])
  const { cursor } = await theirs.list('limit=1')
  assert.equal((await ours.api.get(`/v1/requests?limit=1&cursor=${cursor}`)).status, 400)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from request_pages where entries::text like '%secret%'
  `.execute(app.db)
  assert.equal(rows[0]!.count, 0)
})

test('developers read the log, marketers, viewers and API keys do not', async () => {
  const { api, key, userId } = await member()
  const statuses = []
  for (const role of ['owner', 'admin', 'developer', 'marketer', 'viewer'] as const) {
    await app.db.updateTable('team_members').set({ role }).where('user_id', '=', userId).execute()
    statuses.push((await api.get('/v1/requests')).status)
  }
  assert.deepEqual([...statuses, (await key.get('/v1/requests')).status], [200, 200, 200, 403, 403, 403])
})

test('a filter that cannot be read is refused by name', async () => {
  const { api } = await member()
  for (const [path, query] of [
    ...[
      ['status', 'status=99'],
      ['status', 'status=x'],
      ['path', `path=/${'x'.repeat(500)}`],
      ['apiKeyId', 'apiKeyId=1'],
    ],
    ...[
      ['from', 'from=now'],
      ['until', 'from=2030-06-15T12:00:00Z&until=2030-06-15T11:00:00Z'],
    ],
  ]) {
    const { status, body } = await api.get(`/v1/requests?${query}`)
    assert.deepEqual([status, body.errors?.[0].path], [400, path], query)
  }
})

test('a path is kept up to 500 characters', async () => {
  const { key, keyId, paths } = await member()
  await key.get(`/v1/${'x'.repeat(600)}`)
  assert.deepEqual(await paths(`apiKeyId=${keyId}`), [`/v1/${'x'.repeat(496)}`])
})

async function dropped(): Promise<number> {
  const { text } = await posthorn.anyone.get('/metrics')
  return Number(/request_log_rows_total\{outcome="dropped"\} (\d+)/.exec(text)?.[1] ?? 0)
}

/** Notes requests at once, as a process under load does, and returns how many of them are kept. */
async function keptOf(count: number, status: number): Promise<number> {
  await flush()
  const { id: teamId } = await posthorn.team()
  for (let n = 0; n < count; n++) noteOf({ teamId, status })
  await flush()
  const { rows } = await sql<{ count: number }>`
    select sum(json_array_length(entries))::integer as count from request_pages where team_id = ${teamId}
  `.execute(app.db)
  return rows[0]!.count
}

test('of a flood that the rate limit refuses, a hundred requests a batch are kept', async () => {
  assert.equal(await keptOf(300, 429), 100)
  assert.equal(await keptOf(300, 200), 300)
})

slowTest(
  'what comes faster than the database takes it is dropped: a batch and 10,000 requests wait at most',
  async () => {
    const before = await dropped()
    assert.equal(await keptOf(12_000, 200), 11_000)
    assert.equal((await dropped()) - before, 1000)
  },
)

slowTest('the log goes on after a write that took longer than the wait for the next batch', async () => {
  const { teamId, api } = await member()
  await app.transaction(async (tx) => {
    await sql`lock table request_pages in access exclusive mode`.execute(tx.db)
    noteOf({ teamId, path: '/v1/one' })
    await sleep(1500)
    noteOf({ teamId, path: '/v1/two' })
    await sleep(1500)
  })
  await sleep(500)
  noteOf({ teamId, path: '/v1/three' })
  for (const path of ['/v1/one', '/v1/two', '/v1/three'])
    await until(async () => {
      // A minute has a limit of requests.
      await sleep(100)
      return (await api.get(`/v1/requests?path=${path}`)).body.data.length === 1
    })
})

test('requests are kept for seven days, and the days behind them are dropped', async () => {
  const { key, email } = await member()
  const { headers } = await key.get('/v1/domains')
  await flush()
  await posthorn.runDueJobs()
  clock.advance(7 * dayMs - 1000)
  const { body: login } = await posthorn.anyone.post('/auth/login', { email, password })
  const later = posthorn.as(login.accessToken)
  assert.equal((await later.get(`/v1/requests/${headers['x-request-id']}`)).status, 200)
  clock.advance(2000)
  assert.equal((await later.get(`/v1/requests/${headers['x-request-id']}`)).status, 404)
  await posthorn.runDueJobsAfter(2 * dayMs)
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'request_pages'::regclass order by relname
  `.execute(app.db)
  const today = clock.now().getTime()
  const days = rows.map(({ name }) => Date.parse(name.slice(-10).replaceAll('_', '-')))
  assert.ok(
    days.every((day) => day + 8 * dayMs > today),
    JSON.stringify(rows),
  )
  assert.ok(days.includes(Date.parse(new Date(today + 2 * dayMs).toISOString().slice(0, 10))), 'made ahead')
})

test('requests whose path names an erased person are removed, the others of their second stay', async () => {
  const { key, keyId, api, list, paths } = await member()
  const address = 'ada@people.test'
  for (const path of ['domains', `contacts/${address}`, `contacts/n${address}`, 'topics']) await key.get(`/v1/${path}`)
  await flush()
  const ask = async (type: string) => {
    const { body } = await api.post('/v1/privacy/requests', { type, email: address })
    await posthorn.runDueJobs()
    return (await api.get(`/v1/privacy/requests/${body.id}`)).body
  }
  assert.equal((await ask('export')).counts.requests.found, 1)
  const { status, counts } = await ask('erase')
  assert.deepEqual([status, counts.requests], ['done', { removed: 1, left: 0 }])
  const left = ['/v1/topics', `/v1/contacts/n${address}`, '/v1/domains']
  assert.deepEqual(await paths(`apiKeyId=${keyId}`), left)
  assert.deepEqual(await paths(`path=/v1/contacts/${address}`), [])
  assert.equal((await list(`path=/v1/contacts/n${address}`)).data.length, 1)
})

test('requests whose path names an erased number are removed, however the path encodes it', async () => {
  const { key, keyId, api, paths } = await member()
  const threads = ['+61491570157', '%2B61491570157', '%2b61491570157', '%2B614915701570']
  for (const thread of threads) await key.get(`/v1/inbox/threads/sms/${thread}`)
  await flush()
  await api.post('/v1/privacy/requests', { type: 'erase', phoneNumber: '+61491570157' })
  await posthorn.runDueJobs()
  assert.deepEqual(await paths(`apiKeyId=${keyId}`), ['/v1/inbox/threads/sms/%2B614915701570'])
})

test('a request is answered while the log cannot be written, and the loss is counted', async () => {
  const { key, keyId, paths } = await member()
  const before = await dropped()
  await flush()
  await sql`alter table request_pages rename to request_pages_away`.execute(app.db)
  assert.equal((await key.get('/v1/domains')).status, 200)
  await flush()
  await sql`alter table request_pages_away rename to request_pages`.execute(app.db)
  assert.ok((await dropped()) > before)
  await key.get('/v1/topics')
  assert.deepEqual(await paths(`apiKeyId=${keyId}`), ['/v1/topics'])
})
