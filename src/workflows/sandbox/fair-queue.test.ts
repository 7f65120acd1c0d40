import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue, type Taken } from './fair-queue.ts'

type Task = { ms: number }
type Running = { taken: Taken<Task>; endsAt: number }

/** Two threads whose time is simulated. Every team always has another task waiting. */
function createThreads(prefers?: (teamId: string) => boolean) {
  const queue = createFairQueue<Task>(2)
  const running: Running[] = []
  let now = 0
  /** Returns how much time each team gets in the next `forMs`. */
  return (teams: Record<string, () => number>, forMs: number): Record<string, number> => {
    const given = Object.fromEntries(Object.keys(teams).map((teamId) => [teamId, 0]))
    const leave: (() => void)[] = []
    const addTo = (teamId: string) => leave.push(queue.add(teamId, { ms: teams[teamId]!() }))
    for (const teamId in teams) for (let count = 0; count < 3; count++) addTo(teamId)
    const until = now + forMs
    while (now < until) {
      for (let taken = queue.take(prefers); taken; taken = queue.take(prefers)) {
        running.push({ taken, endsAt: now + taken.item.ms })
        if (taken.teamId in teams) addTo(taken.teamId)
      }
      const next = running.sort((a, b) => a.endsAt - b.endsAt).shift()!
      now = next.endsAt
      next.taken.end(next.taken.item.ms)
      if (next.taken.teamId in given) given[next.taken.teamId]! += next.taken.item.ms
    }
    for (const take of leave) take()
    return given
  }
}

const always = (ms: number) => () => ms
const endless = always(1500)

function assertNear(actual: number | undefined, expected: number, by: number): void {
  assert(Math.abs(actual! - expected) <= by, `${actual} is not within ${by} of ${expected}`)
}

test('teams with brief tasks get the same time, however long their tasks take', () => {
  const given = createThreads()({ a: always(1), b: always(90), c: always(30) }, 9000)
  for (const teamId in given) assertNear(given[teamId], 6000, 200)
})

test('teams with long tasks get the same time, however long their tasks take', () => {
  const given = createThreads()({ a: always(150), b: endless, c: always(500) }, 90_000)
  for (const teamId in given) assertNear(given[teamId], 30_000, 3100)
})

test('brief tasks have a thread of their own beside any number of teams with endless tasks', () => {
  const hostile = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`hostile ${index}`, endless]))
  const given = createThreads()({ ...hostile, honest: always(1) }, 20_000)
  // It may wait once for each of the others, whose durations are not known yet.
  assert(given.honest! >= 20_000 - 5 * 1500, `it got ${given.honest} ms`)
})

test('the only team has all threads for brief tasks, and all but one for long tasks', () => {
  assertNear(createThreads()({ team: always(5) }, 1000).team, 2000, 20)
  assertNear(createThreads()({ team: always(500) }, 10_000).team, 10_000, 1000)
})

test('a new team gets as much time as the others from its arrival on', () => {
  for (const ms of [2, 200]) {
    const share = createThreads()
    share({ old: always(ms) }, 100_000)
    const { old, young } = share({ old: always(ms), young: always(ms) }, 20_000)
    assertNear(old, young!, 30 + 4 * ms)
  }
})

test('a team without tasks saves up no time', () => {
  const share = createThreads()
  share({ a: always(2), b: always(2) }, 1000)
  share({ b: always(2) }, 100_000)
  const { a, b } = share({ a: always(2), b: always(2) }, 1000)
  assertNear(a, b!, 40)
})

test('a preferred team gets ahead of the others by a small amount only', () => {
  const given = createThreads((teamId) => teamId === 'a')({ a: always(1), b: always(1), c: always(1) }, 9000)
  assertNear(given.a, 6010, 10)
  assertNear(given.b, given.c!, 20)
})

test('a team that mixes brief and endless tasks counts as slow', () => {
  let turn = 0
  const given = createThreads()({ hostile: () => (++turn % 2 ? 1500 : 1), honest: always(1) }, 30_000)
  assert(given.honest! >= 30_000 - 2 * 1500, `it got ${given.honest} ms`)
})

test('a team with endless tasks cannot get all threads by brief tasks in between', () => {
  let turn = 0
  const given = createThreads()({ hostile: () => (++turn % 14 > 10 ? 1500 : 1), honest: always(1) }, 60_000)
  // Half of the time of two threads, or slightly less if two long tasks begin at the same moment.
  assert(given.honest! >= 40_000, `it got ${given.honest} ms`)
})

test('a team whose tasks become brief has all threads again', () => {
  const share = createThreads()
  share({ team: endless }, 3000)
  share({ team: always(1) }, 50)
  assertNear(share({ team: always(1) }, 1000).team, 2000, 10)
})

test('a task that is removed from the queue does not run, and leaves no state', () => {
  const queue = createFairQueue<Task>(2)
  const leave = Array.from({ length: 100 }, (_, index) => queue.add(`team ${index % 3}`, { ms: 1 }))
  const stays: Task = { ms: 1 }
  queue.add('team 1', stays)
  for (const take of leave) take()
  assert.equal(queue.take()?.item, stays)
  assert.equal(queue.take(), null)
  assert.deepEqual(queue.clear(), [])
})
