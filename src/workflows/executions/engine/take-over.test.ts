import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { until } from '../../../../test/patience.ts'
import { slowTest } from '../../../../test/slow.ts'
import { startPeer } from '../../fixtures/peer.ts'
import { call, delay, entryOf, makeFlow, statusesOf } from '../fixtures/flow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const second = await posthorn.another()
const team = await posthorn.team()
const other = second.app.jobs
const leaseMs = 30_000

/** A peer that holds back its answer to the first request for `path` until `answer` is called. */
async function startSlowPeer(path: string) {
  const peer = await startPeer()
  const asked = Promise.withResolvers<ServerResponse>()
  let isHeld = false
  peer.answer = (response, question) => {
    if (question.path !== path || isHeld) return response.end('noted')
    isHeld = true
    asked.resolve(response)
  }
  const count = (one: string) => peer.asked.filter((question) => question.path === one).length
  return { ...peer, asked: peer.asked, held: asked.promise, count }
}

/**
 * Waits until no process holds the execution. A run that finds its lease lost looks for work again, and may claim it
 * first.
 */
function untilReturned(id: string) {
  const { db } = posthorn.app
  const held = db.selectFrom('jobs').select('id').where('key', '=', id).where('lease_token', 'is not', null)
  return until(async () => !(await held.executeTakeFirst()))
}

test('another process finishes the execution of a process that stands still, whose later results are not recorded', async () => {
  const peer = await startSlowPeer('/slow')
  const nodes = [call('before', peer.url), call('slow', peer.url), call('after', peer.url)]
  const flow = await makeFlow(team, nodes, ['start>before>slow>after'])
  const id = await flow.start()
  const first = posthorn.runDueJobs()
  const held = await peer.held
  posthorn.clock.advance(leaseMs)
  await other.runDue()
  const execution = await flow.get(id)
  assert.equal(execution.status, 'completed')
  held.end('too late')
  await first
  assert.deepEqual(await flow.get(id), execution)
  // Only the node under way is repeated, with the same idempotency key.
  assert.deepEqual([peer.count('/before'), peer.count('/slow'), peer.count('/after')], [1, 2, 1])
  const keys = peer.asked.filter(({ path }) => path === '/slow').map(({ headers }) => headers['idempotency-key'])
  assert.equal(new Set(keys).size, 1)
})

test('branches that completed before their process died are not repeated, and the join runs once', async () => {
  const peer = await startSlowPeer('/b')
  const nodes = ['a', 'b', 'join'].map((id) => call(id, peer.url))
  const flow = await makeFlow(team, nodes, ['start>a>join', 'start>b>join'])
  const id = await flow.start()
  const first = posthorn.runDueJobs()
  const held = await peer.held
  while ((await flow.get(id)).nodes[1]!.status !== 'completed') await new Promise(setImmediate)
  posthorn.clock.advance(leaseMs)
  await other.runDue()
  assert.equal((await flow.get(id)).status, 'completed')
  assert.deepEqual([peer.count('/a'), peer.count('/b'), peer.count('/join')], [1, 2, 1])
  held.end()
  await first
})

slowTest('a cancel through one process aborts the nodes that another one runs', async () => {
  const peer = await startSlowPeer('/slow')
  const flow = await makeFlow(team, [call('slow', peer.url), call('after', peer.url)], ['start>slow>after'])
  const id = await flow.start()
  const running = other.runDue()
  const held = await peer.held
  await team.api.post(`${flow.executionsPath}/${id}/cancel`)
  // The run ends without an answer of the peer, since the process checks its leases.
  await running
  held.end()
  assert.deepEqual(statusesOf(await flow.get(id)), { execution: 'cancelled', slow: 'failed', after: 'pending' })
  assert.equal(peer.count('/after'), 0)
})

test('a parked delay fires once, however many processes look for it', async () => {
  const peer = await startPeer()
  const flow = await makeFlow(team, [delay('long', '1h'), call('after', peer.url)], ['start>long>after'])
  const ids = await Promise.all(Array.from({ length: 20 }, () => flow.start()))
  await posthorn.runDueJobs()
  posthorn.clock.advance(3_600_000)
  await Promise.all([posthorn.runDueJobs(), other.runDue(), posthorn.runDueJobs(), other.runDue()])
  await Promise.all([posthorn.runDueJobs(), other.runDue()])
  for (const id of ids) assert.equal((await flow.get(id)).status, 'completed')
  assert.equal(peer.asked.length, 20)
})

test('each execution runs once, however many processes look for work', async () => {
  const peer = await startPeer()
  const flow = await makeFlow(team, [call('a', peer.url), call('b', peer.url)], ['start>a>b'])
  await Promise.all(Array.from({ length: 50 }, () => flow.start()))
  await Promise.all([posthorn.runDueJobs(), other.runDue()])
  assert.equal(peer.asked.length, 100)
  assert.equal(new Set(peer.asked.map(({ headers }) => headers['idempotency-key'])).size, 100)
})

slowTest('a node fails once five processes died while they ran it', async () => {
  const peer = await startPeer()
  const begun: (() => void)[] = []
  peer.answer = () => begun.shift()?.()
  const flow = await makeFlow(team, [call('killer', peer.url), call('after', peer.url)], ['start>killer>after'])
  const id = await flow.start()
  const runs: Promise<unknown>[] = []
  for (let death = 0; death < 5; death++) {
    const asked = new Promise<void>((resolve) => begun.push(resolve))
    // A process that looks for work again would extend the lease that it holds.
    const dying = await posthorn.another()
    runs.push(dying.app.jobs.runDue())
    await asked
    assert.equal((await flow.get(id)).status, 'running')
    posthorn.clock.advance(leaseMs)
  }
  await posthorn.runDueJobs()
  await untilReturned(id)
  const execution = await flow.get(id)
  assert.deepEqual(statusesOf(execution), { execution: 'failed', killer: 'failed', after: 'pending' })
  assert.match(entryOf(execution, 'killer').error!, /5 times in a row/)
  assert.equal(peer.asked.length, 5)
  // The runs that stood still find that they lost their leases.
  await Promise.all(runs)
})

slowTest('attempts that ended with their process do not count as one of the four', async () => {
  const peer = await startPeer()
  const asked = Promise.withResolvers<void>()
  peer.answer = (response) => {
    if (peer.asked.length === 1) asked.resolve()
    else if (peer.asked.length < 5) response.destroy()
    else response.end()
  }
  const flow = await makeFlow(team, [call('bad', peer.url)], ['start>bad'])
  const id = await flow.start()
  const first = posthorn.runDueJobs()
  await asked.promise
  for (const ms of [leaseMs, 1000, 5000, 25_000]) {
    posthorn.clock.advance(ms)
    await other.runDue()
    await untilReturned(id)
  }
  assert.equal(peer.asked.length, 5)
  assert.equal((await flow.get(id)).status, 'completed')
  await first
})
