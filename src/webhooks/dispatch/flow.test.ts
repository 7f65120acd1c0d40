import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '../../context.ts'
import { beginFlow, endFlow, type Flow, joinHost, mayBegin, whileFlying } from './flow.ts'

const app = {} as App

/** Creates endpoints that begin as many attempts as they may. The test ends the attempts. */
function endpoints(count: number, teamId: string, hostOf: (index: number) => string) {
  const flows = Array.from({ length: count }, () => beginFlow(app, false))
  for (const [index, flow] of flows.entries()) joinHost(flow, teamId, hostOf(index))
  const ends: (() => void)[] = []
  const flights: Promise<unknown>[] = []
  const fly = (flow: Flow) => {
    flights.push(whileFlying(flow, () => new Promise((resolve) => ends.push(() => resolve({ delivered: true })))))
  }
  return {
    begin() {
      for (const flow of flows) while (mayBegin(flow)) fly(flow)
      return flows.reduce((sum, { flying }) => sum + flying, 0)
    },
    async end() {
      for (const end of ends.splice(0)) end()
      await Promise.all(flights.splice(0))
    },
    leave: () => flows.forEach(endFlow),
  }
}

test('forty endpoints of a team at one host share the attempts of one, and each may have one attempt', async () => {
  const crowd = endpoints(40, 'crowd', () => 'hooks.example.com')
  assert.ok(crowd.begin() <= 4 + 39)
  await crowd.end()
  for (let rounds = 0; rounds < 60; rounds++) {
    crowd.begin()
    await crowd.end()
  }
  assert.ok(crowd.begin() <= 50 + 39)
  await crowd.end()
  crowd.leave()
})

test('endpoints at different hosts, or of different teams, do not share attempts', async () => {
  const spread = endpoints(5, 'spread', (index) => `hooks${index}.example.com`)
  const [one, other] = ['one', 'other'].map((team) => endpoints(1, team, () => 'hooks.example.com'))
  assert.deepEqual([spread.begin(), one!.begin(), other!.begin()], [20, 4, 4])
  for (const group of [spread, one!, other!]) {
    await group.end()
    group.leave()
  }
})

test('an endpoint that moves to another host frees its place at the first', async () => {
  const pair = [beginFlow(app, false), beginFlow(app, false)]
  for (const flow of pair) joinHost(flow, 'moving', 'a.example.com')
  const [moving, staying] = pair as [Flow, Flow]
  const ends: (() => void)[] = []
  const flights = Array.from({ length: 4 }, () =>
    whileFlying(
      moving,
      () => new Promise<{ delivered: boolean }>((resolve) => ends.push(() => resolve({ delivered: true }))),
    ),
  )
  const first = whileFlying(staying, async () => ({ delivered: true }))
  assert.equal(mayBegin(staying), false)
  joinHost(moving, 'moving', 'b.example.com')
  assert.equal(mayBegin(staying), true)
  for (const end of ends) end()
  await Promise.all([...flights, first])
  pair.forEach(endFlow)
})
