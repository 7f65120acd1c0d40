import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Kysely, PostgresDialect } from 'kysely'
import { forAllAsync } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import type { Db } from '../../context.ts'
import { systemClock } from './clock.ts'
import { clockKeeper, syncClock } from './sync-clock.ts'

const second = 1000
const hour = 3600 * second

/**
 * A machine and a database: the truth is the database's time, the monotonic clock drifts, and the host's clock is set
 * at will.
 */
function world({ drift = 0, hostAheadMs = 0 } = {}) {
  let truth = Date.parse('2030-06-15T12:00:00Z')
  let monotonic = 5000
  let host = truth + hostAheadMs
  let isGone = false
  let answerMs = 0
  const pass = (ms: number) => {
    truth += ms
    monotonic += ms * (1 + drift)
    host += ms * (1 + drift)
  }
  const query = async () => {
    if (isGone) throw new Error('The database is gone.')
    pass(answerMs / 2)
    const rows = [{ now: new Date(truth) }]
    pass(answerMs / 2)
    return { command: 'SELECT', rowCount: 1, rows }
  }
  const pool = { connect: async () => ({ query, release: () => undefined }), end: async () => undefined, options: {} }
  const db = new Kysely({ dialect: new PostgresDialect({ pool: pool as never }) }) as Db
  const clock = systemClock({ host: () => host, monotonic: () => monotonic })
  const lines: string[] = []
  const look = clockKeeper(db, clock, { warn: (_: object, line: string) => void lines.push(line) })
  return {
    clock,
    lines,
    sync: () => syncClock(db, clock),
    /** Passes the time in seconds, with a look at the clocks after each. */
    async live(seconds: number) {
      for (let done = 0; done < seconds; done++) {
        pass(second)
        await look()
      }
    },
    stepHost(ms: number) {
      host += ms
    },
    stepDatabase(ms: number) {
      truth += ms
    },
    sleep(ms: number) {
      truth += ms
      host += ms
    },
    setDatabase(state: { isGone?: boolean; answerMs?: number }) {
      isGone = state.isGone ?? isGone
      answerMs = state.answerMs ?? answerMs
    },
    errorMs: () => clock.now().getTime() - truth,
  }
}

const steps = /stepped; the database's time counts/
const corrections = /was set to the database's/

test("a step of the host's clock changes nothing, and is logged in one line", async () => {
  const { clock, lines, sync, live, stepHost, errorMs } = world()
  await sync()
  for (const ms of [hour, -hour, -2 * second, 900]) {
    lines.length = 0
    const before = clock.now().getTime()
    stepHost(ms)
    assert.equal(clock.now().getTime(), before)
    await live(130)
    assert.equal(errorMs(), 0)
    assert.deepEqual(lines.length, 1, String(lines))
    assert.match(lines[0]!, steps)
  }
})

test("the time of the database counts from the start, however wrong the host's clock is", async () => {
  for (const hostAheadMs of [3 * hour, -3 * hour, 300, -300]) {
    const { sync, errorMs, setDatabase } = world({ hostAheadMs })
    setDatabase({ answerMs: 20 })
    await sync()
    assert.ok(Math.abs(errorMs()) <= 10, `${errorMs()} ms`)
  }
})

test('a machine that slept has the right time within a second, or as soon as the database answers', async () => {
  const { lines, sync, live, sleep, setDatabase, errorMs } = world()
  await sync()
  sleep(hour)
  await live(1)
  assert.equal(errorMs(), 0)
  assert.match(lines[0]!, steps)
  assert.match(lines[1]!, corrections)
  sleep(hour)
  setDatabase({ isGone: true })
  await live(5)
  assert.equal(errorMs(), -hour)
  setDatabase({ isGone: false })
  await live(1)
  assert.equal(errorMs(), 0)
})

test("a step of the database's clock is followed within a minute, and logged", async () => {
  const { lines, sync, live, stepDatabase, errorMs } = world()
  await sync()
  for (const ms of [hour, -hour]) {
    stepDatabase(ms)
    await live(61)
    assert.equal(errorMs(), 0)
  }
  assert.equal(lines.length, 2)
  for (const line of lines) assert.match(line, corrections)
})

test('a slow answer of the database does not move the clock', async () => {
  const { sync, setDatabase, errorMs } = world()
  await sync()
  setDatabase({ answerMs: 8 * second })
  assert.equal(await sync(), 0)
  assert.equal(errorMs(), 0)
})

propertyTest('a monotonic clock that drifts is kept right, and the time never goes back', async () => {
  const event = fc.record({
    stepMs: fc.integer({ min: -2 * hour, max: 2 * hour }),
    seconds: fc.integer({ min: 1, max: 150 }),
    answerMs: fc.integer({ min: 0, max: 400 }),
    isGone: fc.boolean(),
  })
  await forAllAsync(
    100,
    fc.double({ min: -3e-4, max: 3e-4, noNaN: true }),
    fc.array(event, { minLength: 1, maxLength: 8 }),
    async (drift, events) => {
      const { clock, sync, live, stepHost, setDatabase, errorMs } = world({ drift, hostAheadMs: 40 * second })
      await sync()
      let latest = clock.now().getTime()
      let unansweredS = 0
      for (const { stepMs, seconds, answerMs, isGone } of events) {
        stepHost(stepMs)
        setDatabase({ isGone, answerMs })
        unansweredS = isGone ? unansweredS + seconds : 0
        for (let passed = 0; passed < seconds; passed++) {
          await live(1)
          const now = clock.now().getTime()
          assert.ok(now >= latest, `went back by ${latest - now} ms`)
          latest = now
        }
        // Half the slowest answer, and what drifts between two questions. The clock may stand still for as long
        // again.
        const allowedMs = 2 * (200 + Math.abs(drift) * second * (61 + unansweredS)) + 2
        assert.ok(Math.abs(errorMs()) <= allowedMs, `${errorMs()} ms wrong; ${allowedMs} ms allowed`)
      }
    },
  )
})
