import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createTestApp } from '../../../../test/app.ts'
import { slowTest } from '../../../../test/slow.ts'

/** Creates an app whose warnings are kept. */
async function listening(environment: Record<string, string>) {
  const lines: { msg: string; peer?: string }[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const { server } = await createTestApp(environment, { log })
  async function ask(headers: Record<string, string>, remoteAddress = '192.0.2.7') {
    const { statusCode } = await server.inject({ method: 'GET', url: '/health', headers, remoteAddress })
    assert.equal(statusCode, 200)
  }
  return { ask, warnings: () => lines.filter(({ msg }) => msg.includes('TRUST_PROXY')) }
}

test('a proxy that TRUST_PROXY does not name is logged once, with the setting to make', async () => {
  const { ask, warnings } = await listening({ TRUST_PROXY: '10.0.0.0/8' })
  await ask({})
  assert.deepEqual(warnings(), [])
  for (let repeat = 0; repeat < 3; repeat++) await ask({ 'x-forwarded-for': '198.51.100.1' })
  await ask({ forwarded: 'for=198.51.100.1' })
  assert.equal(warnings().length, 1)
  assert.equal(warnings()[0]?.peer, '192.0.2.7')
  assert.match(warnings()[0]?.msg ?? '', /TRUST_PROXY=192\.0\.2\.7/)
  await ask({ forwarded: 'for=198.51.100.1' }, '2001:db8::1')
  assert.equal(warnings().length, 2)
})

test('a proxy that is named is trusted without a warning', async () => {
  const { ask, warnings } = await listening({ TRUST_PROXY: '192.0.2.0/24,2001:db8::/32' })
  for (const peer of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1']) await ask({ 'x-forwarded-for': '::1' }, peer)
  assert.deepEqual(warnings(), [])
})

slowTest('clients that forge the header fill neither the log nor the memory', async () => {
  const { ask, warnings } = await listening({})
  for (let peer = 0; peer < 250; peer++) await ask({ 'x-forwarded-for': 'x' }, `192.0.2.${peer}`)
  assert.equal(warnings().length, 100)
})
