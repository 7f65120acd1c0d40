import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestApp, type TestApp } from '../../test/app.ts'
import { readConfig } from '../config.ts'

const production = {
  NODE_ENV: 'production',
  APP_SECRET: randomBytes(48).toString('base64'),
  PAYMENTS_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_of_tests',
}
const token = 'a-token-of-tests-0123456789'

async function scrape(app: TestApp, remoteAddress: string, headers: Record<string, string> = {}) {
  const answer = await app.server.inject({ url: '/metrics', remoteAddress, headers })
  return { status: answer.statusCode, text: answer.body, headers: answer.headers }
}

test('metrics are open while developing', async () => {
  const answer = await scrape(await createTestApp(), '203.0.113.9')
  assert.equal(answer.status, 200)
  assert.match(answer.text, /^posthorn_process_cpu_user_seconds_total /m)
})

test('the names of counters end in _total, and those of gauges do not', async () => {
  const { text } = await scrape(await createTestApp(), '203.0.113.9')
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!] as const)
  assert.ok(types.length > 20)
  for (const [name, type] of types) assert.equal(name.endsWith('_total'), type === 'counter', `${name} ${type}`)
})

test('in production metrics without a token are for this machine alone', async () => {
  const app = await createTestApp(production)
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
    assert.equal((await scrape(app, address)).status, 200, address)
  for (const address of ['203.0.113.9', '10.0.0.1', '2001:db8::1']) {
    const refused = await scrape(app, address)
    assert.equal(refused.status, 403, address)
    assert.match(JSON.parse(refused.text).message, /METRICS_TOKEN/)
  }
  for (const name of ['x-forwarded-for', 'forwarded']) {
    const passedOn = await scrape(app, '127.0.0.1', { [name]: 'for=203.0.113.9' })
    assert.equal(passedOn.status, 403, 'a proxy on this machine passes on strangers')
  }
})

test('with a token metrics are for its holder, wherever he is', async () => {
  const app = await createTestApp({ ...production, METRICS_TOKEN: token })
  assert.equal((await scrape(app, '203.0.113.9', { authorization: `Bearer ${token}` })).status, 200)
  for (const authorization of ['', token, `Bearer ${token}x`, `Bearer ${token.slice(1)}`, 'Bearer']) {
    const refused = await scrape(app, '127.0.0.1', { authorization })
    assert.equal(refused.status, 401, authorization)
    assert.equal(refused.headers['www-authenticate'], 'Bearer')
  }
})

test('a token that could be guessed stops the start', () => {
  for (const METRICS_TOKEN of ['short', 'with blanks, and long enough', 'ä'.repeat(20)])
    assert.throws(() => readConfig({ METRICS_TOKEN }), /METRICS_TOKEN must be at least 16/)
})

test('probes are not limited, whoever asks how often', async () => {
  const app = await createTestApp({ PUBLIC_REQUESTS_PER_MINUTE: '3' })
  for (let n = 0; n < 10; n++) {
    assert.equal((await app.anyone.get('/health')).status, 200)
    assert.equal((await app.anyone.get('/ready')).status, 200)
  }
  const many = await Promise.all(Array.from({ length: 50 }, () => app.anyone.get('/ready')))
  assert.deepEqual([...new Set(many.map(({ status }) => status))], [200])
})
