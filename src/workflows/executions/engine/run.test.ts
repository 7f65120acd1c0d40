import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { pluck } from '../../../../test/pluck.ts'
import { startPeer } from '../../fixtures/peer.ts'
import { broken, call, delay, entryOf, makeFlow, statusesOf } from '../fixtures/flow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()

const equals = (id: string, left: string, right: string) => {
  return { id, type: 'condition', config: { left, operator: 'equals', right } }
}

test('a condition runs one of its branches and skips the other, and the node where they join runs once', async () => {
  const peer = await startPeer()
  const nodes = [
    equals('check', '{{trigger.plan}}', 'pro'),
    ...['yes', 'no', 'later', 'join'].map((id) => call(id, peer.url)),
  ]
  const flow = await makeFlow(team, nodes, ['start>check>yes:true>join', 'check>no:false>later>join'])
  const id = await flow.run(posthorn, { plan: 'pro' })
  const done = { execution: 'completed', check: 'completed', yes: 'completed', join: 'completed' }
  assert.deepEqual(statusesOf(await flow.get(id)), { ...done, no: 'skipped', later: 'skipped' })
  assert.deepEqual(pluck(peer.asked, 'path'), ['/yes', '/join'])
})

test('a filter whose rule does not hold ends its branch, and other branches go on', async () => {
  const filter = { id: 'only', type: 'filter', config: { left: '{{trigger.plan}}', operator: 'equals', right: 'pro' } }
  const nodes = [filter, delay('after', '0s'), delay('other', '0s'), delay('join', '0s')]
  const flow = await makeFlow(team, nodes, ['start>only>after>join', 'start>other>join'])
  const id = await flow.run(posthorn, { plan: 'free' })
  const statuses = {
    execution: 'completed',
    only: 'completed',
    after: 'skipped',
    other: 'completed',
    join: 'completed',
  }
  assert.deepEqual(statusesOf(await flow.get(id)), statuses)
})

test('branches run side by side, and the join waits for the last of them', async () => {
  const peer = await startPeer()
  const waiting: (() => void)[] = []
  peer.answer = (response, { path }) => {
    if (path === '/join') return response.end()
    waiting.push(() => response.end())
    // The peer answers once it has all three requests.
    if (waiting.length === 3) for (const answer of waiting) answer()
  }
  const nodes = ['a', 'b', 'c', 'join'].map((id) => call(id, peer.url))
  const flow = await makeFlow(team, nodes, ['start>a>join', 'start>b>join', 'start>c>join'])
  const id = await flow.run(posthorn)
  assert.equal((await flow.get(id)).status, 'completed')
  assert.deepEqual(peer.asked.map(({ path }) => path).toSorted(), ['/a', '/b', '/c', '/join'])
  assert.equal(peer.asked.at(-1)!.path, '/join')
})

test('later nodes get the data of the trigger and earlier outputs, and the history shows each node with its input', async () => {
  const peer = await startPeer()
  peer.answer = (response) => response.end('the answer')
  const nodes = [
    call('ask', peer.url, { body: 'Hello {{trigger.name}}' }),
    call('tell', peer.url, { body: '{{node_ask.body}} {{vars.x}}' }),
  ]
  const flow = await makeFlow(team, nodes, ['start>ask>tell'])
  const { body } = await team.api.post(flow.executionsPath, { triggerData: { name: 'Ada' }, vars: { x: 7 } })
  await posthorn.runDueJobs()
  assert.deepEqual(pluck(peer.asked, 'body'), ['Hello Ada', 'the answer 7'])
  const execution = await flow.get(body.id)
  assert.equal(entryOf(execution, 'tell').inputData.body, 'the answer 7')
  assert.deepEqual(entryOf(execution, 'ask').outputData.body, 'the answer')
  assert.deepEqual(entryOf(execution, 'start').outputData, { name: 'Ada' })
})

test('a node that fails is tried again after 1 s, 5 s and 25 s, and with the fourth attempt the execution has failed', async () => {
  const peer = await startPeer()
  peer.answer = (response) => response.destroy()
  const flow = await makeFlow(team, [call('ask', peer.url), delay('after', '0s')], ['start>ask>after'])
  const id = await flow.start()
  const seen: unknown[] = []
  for (const ms of [0, 999, 1, 4999, 1, 24_999, 1, 3_600_000]) {
    await posthorn.runDueJobsAfter(ms)
    seen.push([peer.asked.length, (await flow.get(id)).status])
  }
  const running = [1, 1, 2, 2, 3, 3].map((count) => [count, 'running'])
  assert.deepEqual(seen, [...running, [4, 'failed'], [4, 'failed']])
  const execution = await flow.get(id)
  assert.deepEqual(statusesOf(execution), { execution: 'failed', ask: 'failed', after: 'pending' })
  assert.ok(execution.error!.includes(entryOf(execution, 'ask').error!))
  const keys = new Set(peer.asked.map(({ headers }) => headers['idempotency-key']))
  assert.equal(keys.size, 1)
  assert.match(String([...keys][0]), /^[\x20-\x7e]{60,255}$/)
})

test('other branches go on while one waits for its next attempt', async () => {
  const peer = await startPeer()
  peer.answer = (response, { path }) => {
    const isFirst = peer.asked.filter((asked) => asked.path === path).length === 1
    if (path === '/bad' && isFirst) response.destroy()
    else response.end()
  }
  const nodes = ['bad', 'good', 'next'].map((id) => call(id, peer.url))
  const flow = await makeFlow(team, nodes, ['start>bad', 'start>good>next'])
  const id = await flow.run(posthorn)
  const before = { execution: 'running', bad: 'running', good: 'completed', next: 'completed' }
  assert.deepEqual(statusesOf(await flow.get(id)), before)
  await posthorn.runDueJobsAfter(1000)
  assert.deepEqual(statusesOf(await flow.get(id)), { ...before, execution: 'completed', bad: 'completed' })
})

test('a node whose request is refused for good is not tried again, and no further node begins', async () => {
  const peer = await startPeer()
  const nodes = [broken('bad'), call('slow', peer.url), call('after', peer.url)]
  const flow = await makeFlow(team, nodes, ['start>bad', 'start>slow>after'])
  const id = await flow.run(posthorn)
  const execution = await flow.get(id)
  // Nodes that were running have completed and were recorded.
  assert.deepEqual(statusesOf(execution), { execution: 'failed', bad: 'failed', slow: 'completed', after: 'pending' })
  assert.match(execution.error!, /^Node bad failed: duration/)
  assert.deepEqual(pluck(peer.asked, 'path'), ['/slow'])
})

test('a delay longer than LONG_DELAY parks the execution as waiting, a shorter one does not; each fires at its time', async () => {
  const flow = await makeFlow(
    team,
    [delay('short', '30s'), delay('long', '31s'), delay('after', '0s')],
    ['start>short>long>after'],
  )
  const id = await flow.start()
  const seen: Record<string, string>[] = []
  for (const ms of [0, 29_999, 1, 30_999, 1]) {
    await posthorn.runDueJobsAfter(ms)
    seen.push(statusesOf(await flow.get(id)))
  }
  const short = { execution: 'running', short: 'running', long: 'pending', after: 'pending' }
  const long = { execution: 'waiting', short: 'completed', long: 'waiting', after: 'pending' }
  const done = { execution: 'completed', short: 'completed', long: 'completed', after: 'completed' }
  assert.deepEqual(seen, [short, short, long, long, done])
})

test('an execution that waits for ten years delays no other, and goes on afterwards', async () => {
  const flow = await makeFlow(team, [delay('decade', '3650d')], ['start>decade'])
  const id = await flow.run(posthorn)
  assert.equal(await posthorn.runDueJobs(), 0)
  assert.equal((await flow.get(id)).status, 'waiting')
  await posthorn.runDueJobsAfter(3650 * 86_400_000)
  assert.equal((await flow.get(id)).status, 'completed')
})

test('the other branch runs during a long delay, and then the execution is waiting', async () => {
  const peer = await startPeer()
  const nodes = [delay('long', '1h'), call('other', peer.url), call('join', peer.url)]
  const flow = await makeFlow(team, nodes, ['start>long>join', 'start>other>join'])
  const id = await flow.run(posthorn)
  const before = { execution: 'waiting', long: 'waiting', other: 'completed', join: 'pending' }
  assert.deepEqual(statusesOf(await flow.get(id)), before)
  assert.equal(entryOf(await flow.get(id), 'long').outputData, null)
  await posthorn.runDueJobsAfter(3_600_000)
  assert.equal((await flow.get(id)).status, 'completed')
})

test('a failure ends the execution and skips the delays that still wait', async () => {
  const nodes = [delay('long', '1h'), delay('short', '2s'), broken('bad')]
  const flow = await makeFlow(team, nodes, ['start>long', 'start>short>bad'])
  const id = await flow.run(posthorn)
  for (const ms of [2000, 3_600_000]) {
    await posthorn.runDueJobsAfter(ms)
    const statuses = { execution: 'failed', long: 'skipped', short: 'completed', bad: 'failed' }
    assert.deepEqual(statusesOf(await flow.get(id)), statuses)
  }
})

test('an output of 256 KiB is kept, a larger one fails its node and says by how much', async () => {
  const peer = await startPeer()
  const flow = await makeFlow(team, [call('ask', peer.url)], ['start>ask'])
  const run = async (bytes: number) => {
    peer.answer = (response) => response.end('x'.repeat(bytes))
    const id = await flow.run(posthorn)
    return flow.get(id)
  }
  const small = await run(1000)
  const overhead = JSON.stringify(entryOf(small, 'ask').outputData).length - 1000
  // The output contains the length of the body in digits.
  const fits = await run(256 * 1024 - overhead - 2)
  assert.equal(fits.status, 'completed', fits.error ?? '')
  assert.equal(JSON.stringify(entryOf(fits, 'ask').outputData).length, 256 * 1024)
  const over = await run(256 * 1024 - overhead - 1)
  assert.deepEqual(statusesOf(over), { execution: 'failed', ask: 'failed' })
  assert.match(entryOf(over, 'ask').error!, /262145 bytes.*262144/)
  assert.equal(entryOf(over, 'ask').outputData, null)
})

test('an input of more than 256 KiB is left out of the history, and its node runs', async () => {
  const peer = await startPeer()
  const flow = await makeFlow(team, [call('ask', peer.url, { body: 'Text {{trigger.text}}' })], ['start>ask'])
  const id = await flow.run(posthorn, { text: 'x'.repeat(300_000) })
  const execution = await flow.get(id)
  assert.equal(execution.status, 'completed', execution.error ?? '')
  assert.equal(peer.asked[0]!.body.length, 300_005)
  const { inputData } = entryOf(execution, 'ask')
  assert.equal(inputData.truncated, true)
  assert.ok(inputData.sizeBytes > 300_000)
})

test('a graph of 200 nodes runs to its end, side by side or one after the other', async () => {
  const ids = Array.from({ length: 198 }, (_, index) => `n${index}`)
  const wide = await makeFlow(
    team,
    [...ids, 'join'].map((id) => delay(id, '0s')),
    ids.map((id) => `start>${id}>join`),
  )
  const long = await makeFlow(
    team,
    ids.map((id) => delay(id, '0s')),
    [['start', ...ids].join('>')],
  )
  const started = [await wide.start(), await long.start()]
  await posthorn.runDueJobs()
  for (const [index, flow] of [wide, long].entries()) {
    const execution = await flow.get(started[index]!)
    assert.equal(execution.status, 'completed')
    assert.ok(execution.nodes.every(({ status }) => status === 'completed'))
  }
})
