import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { type Api, createTestApp, type TestApp } from '../../test/app.ts'
import { freePort } from '../../test/free-port.ts'
import { patienceMs } from '../../test/patience.ts'
import { skipWithoutRedis, startRedis } from './fixtures/redis.ts'

const warnings: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })

/** Two processes on one database. */
async function twoProcesses(environment: Record<string, string> = {}): Promise<[TestApp, TestApp]> {
  let database: object | undefined
  const through = async (config: object) => {
    database ??= config
    return database
  }
  const one = await createTestApp(environment, { through, log })
  return [one, await createTestApp(environment, { through, log })]
}

const limits = { apiRequestsPerMinute: 20, dailyEmailLimit: 7 }

/** Asks both processes in turn, at the same time. Returns how many requests each has let through. */
async function passed(apis: Api[], ask: (api: Api) => ReturnType<Api['get']>, count: number): Promise<number[]> {
  const answers = await Promise.all(apis.flatMap((api) => Array.from({ length: count }, () => ask(api))))
  for (const { status } of answers) assert.ok(status === 200 || status === 429, `${status}`)
  return apis.map((_, index) => {
    const own = answers.slice(index * count, (index + 1) * count)
    return own.filter(({ status }) => status === 200).length
  })
}

const look = (api: Api) => api.get('/v1/rate-limits')

test('without REDIS_URL each of two processes allows the requests of a minute, and both together the emails of a day', async () => {
  const [one, other] = await twoProcesses()
  const team = await one.team({ limits })
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', text: 'Hello' }
  const apis = [team.api, other.as(team.key)]
  const [here, there] = await passed(apis, (api) => api.post('/v1/emails', email), 10)
  assert.equal(here! + there!, 7)
  assert.deepEqual(await passed(apis, look, 30), [10, 10])
  assert.deepEqual(await passed(apis, look, 1), [0, 0])
})

test('with one REDIS_URL two processes allow the requests of a minute together, and while Redis is gone each alone', {
  skip: skipWithoutRedis,
}, async () => {
  const port = await freePort()
  const stopRedis = await startRedis(port)
  const [one, other] = await twoProcesses({ REDIS_URL: `redis://127.0.0.1:${port}` })
  assert.equal(await passedTogether(one, other), 20)

  await stopRedis()
  const later = await one.team({ limits })
  assert.deepEqual(await passed([later.api, other.as(later.key)], look, 30), [20, 20])
})

/** Returns how many requests two processes let through together, at a time when both counted in Redis. */
async function passedTogether(one: TestApp, other: TestApp): Promise<number> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    assert.ok(performance.now() < deadline, 'Redis was gone each time')
    await connected(one, other)
    warnings.length = 0
    const team = await one.team({ limits })
    const [here, there] = await passed([team.api, other.as(team.key)], look, 30)
    // On a machine that stands still for a moment Redis counts as gone, which is logged.
    if (!warnings.some((line) => line.includes('Redis cannot be reached'))) return here! + there!
  }
}

/** Waits until both processes count in Redis: each then sees the request that the other has counted. */
async function connected(one: TestApp, other: TestApp): Promise<void> {
  const { key } = await one.team()
  const left = async (app: TestApp) => Number((await look(app.as(key))).headers['x-ratelimit-remaining'])
  const deadline = performance.now() + patienceMs
  for (;;) {
    const [before, between, after] = [await left(one), await left(other), await left(one)]
    if (between === before - 1 && after === before - 2) return
    assert.ok(performance.now() < deadline, 'the processes did not connect')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
