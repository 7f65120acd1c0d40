import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { manualClock } from '../../test/clock.ts'
import { freePort } from '../../test/free-port.ts'
import { patienceMs, promptMs } from '../../test/patience.ts'
import { readConfig } from '../config.ts'
import type { App, Caller } from '../context.ts'
import { createRequestCounter } from './count-request.ts'
import { skipWithoutRedis, startRedis } from './fixtures/redis.ts'

const caller: Caller = {
  kind: 'apiKey',
  id: 'key',
  teamId: 'team',
  permission: 'full_access',
  mode: 'live',
  domainId: null,
  plan: 'free',
  limitOverrides: { apiRequestsPerMinute: 10 },
}

/** An app with the parts that the counter uses: clock and log. */
function appWith(warnings: string[]): App {
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  return { clock: manualClock(), log } as Partial<App> as App
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, 'the counters did not connect')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('processes share a window exactly; without Redis each counts alone, warns once, and reconnects', {
  skip: skipWithoutRedis,
}, async () => {
  const port = await freePort()
  const config = readConfig({ REDIS_URL: `redis://127.0.0.1:${port}` })
  const warnings: string[] = []
  const app = appWith(warnings)
  const [one, other] = await Promise.all([createRequestCounter(config), createRequestCounter(config)])
  after(() => Promise.all([one.close(), other.close()]))

  const alone = await one.count(app, caller, '192.0.2.1')
  assert.equal(alone.remaining, 9)
  await one.count(app, caller, '192.0.2.1')
  assert.equal(warnings.length, 1)
  assert.match(warnings[0]!, /Redis cannot be reached/)

  const stopRedis = await startRedis(port)
  // Both are connected again once each sees the other's count.
  const probe = { ...caller, id: 'probe', limitOverrides: { apiRequestsPerMinute: 1_000_000 } }
  await until(async () => {
    const before = await one.count(app, probe, '')
    const after = await other.count(app, probe, '')
    const again = await one.count(app, probe, '')
    return after.remaining === before.remaining - 1 && again.remaining === after.remaining - 1
  })
  const fresh = { ...caller, id: 'fresh' }
  const windows = await Promise.all(Array.from({ length: 30 }, (_, n) => (n % 2 ? one : other).count(app, fresh, '')))
  assert.equal(windows.filter(({ allowed }) => allowed).length, 10)

  await stopRedis()
  const gone = await one.count(app, { ...caller, id: 'gone' }, '')
  assert.equal(gone.remaining, 9)
  await one.count(app, { ...caller, id: 'gone' }, '')
  assert.ok(warnings.length <= 4)
})

test('a Redis that accepts connections but does not answer delays only the first request', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  after(() => silent.close())
  const config = readConfig({ REDIS_URL: `redis://127.0.0.1:${(silent.address() as AddressInfo).port}` })
  const counter = await createRequestCounter(config)
  after(() => counter.close())
  const app = appWith([])
  const began = performance.now()
  // Each one that waited would take a quarter of a second.
  for (let n = 0; n < 1000; n++) await counter.count(app, caller, '')
  assert.ok(performance.now() - began < promptMs)
})
