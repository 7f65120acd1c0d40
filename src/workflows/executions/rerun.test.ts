import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { startPeer } from '../fixtures/peer.ts'
import { call, delay, entryOf, makeFlow, statusesOf } from './fixtures/flow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()

test('a rerun is a new execution of the same graph and data, and does not change the original', async () => {
  const peer = await startPeer()
  const flow = await makeFlow(team, [call('a', peer.url, { body: '{{trigger.name}} {{vars.x}}' })], ['start>a'])
  const { body: first } = await team.api.post(flow.executionsPath, { triggerData: { name: 'Ada' }, vars: { x: 7 } })
  await posthorn.runDueJobs()
  const original = await flow.get(first.id)
  await team.api.post(`${flow.path}/activate`)
  await team.api.patch(flow.path, { nodes: [], connections: [] })
  // The graph has changed and the workflow is not active. A rerun runs the original's graph all the same.
  const rerun = await team.api.post(`${flow.executionsPath}/${first.id}/rerun`)
  assert.deepEqual([rerun.status, rerun.body.status, rerun.body.nodeCount], [201, 'running', 2])
  assert.notEqual(rerun.body.id, first.id)
  await posthorn.runDueJobs()
  assert.equal((await flow.get(rerun.body.id)).status, 'completed')
  assert.deepEqual(pluck(peer.asked, 'body'), ['Ada 7', 'Ada 7'])
  assert.equal(new Set(peer.asked.map(({ headers }) => headers['idempotency-key'])).size, 2)
  assert.deepEqual(await flow.get(first.id), original)
  assert.equal((await team.api.post(`${flow.executionsPath}/${first.id}/rerun`, { fromFailedNode: true })).status, 400)
  assert.equal((await team.api.post(`${flow.executionsPath}/${first.id}/rerun`, { fromFailed: true })).status, 400)
})

test('a rerun from the failed node keeps what completed, with its outputs, and runs the rest', async () => {
  const peer = await startPeer()
  let isWell = false
  peer.answer = (response, { path }) => {
    if (path === '/b' && !isWell) response.destroy()
    else response.end(`from ${path}`)
  }
  const check = { id: 'check', type: 'condition', config: { left: '{{trigger.on}}', operator: 'equals', right: 'no' } }
  const nodes = [
    call('a', peer.url),
    check,
    call('never', peer.url),
    call('b', peer.url),
    delay('wait', '1h'),
    call('c', peer.url, { body: 'Said {{node_a.body}}' }),
  ]
  const flow = await makeFlow(team, nodes, ['start>a>check>never:true>c', 'check>b:false>c', 'a>wait>c'])
  const id = await flow.start({ on: 'yes' })
  for (const ms of [0, 1000, 5000, 25_000]) {
    await posthorn.runDueJobsAfter(ms)
  }
  const failed = {
    execution: 'failed',
    a: 'completed',
    check: 'completed',
    never: 'skipped',
    b: 'failed',
    wait: 'skipped',
    c: 'pending',
  }
  assert.deepEqual(statusesOf(await flow.get(id)), failed)
  isWell = true
  const { body } = await team.api.post(`${flow.executionsPath}/${id}/rerun`, { fromFailedNode: true })
  await posthorn.runDueJobs()
  const waiting = { ...failed, execution: 'waiting', b: 'completed', wait: 'waiting' }
  assert.deepEqual(statusesOf(await flow.get(body.id)), waiting)
  await posthorn.runDueJobsAfter(3_600_000)
  const execution = await flow.get(body.id)
  assert.deepEqual(statusesOf(execution), { ...waiting, execution: 'completed', wait: 'completed', c: 'completed' })
  assert.equal(entryOf(execution, 'a').outputData.body, 'from /a')
  const asked = (path: string) => peer.asked.filter((one) => one.path === path)
  assert.deepEqual([asked('/a').length, asked('/never').length, asked('/c').length], [1, 0, 1])
  assert.equal(asked('/c')[0]!.body, 'Said from /a')
  assert.deepEqual(statusesOf(await flow.get(id)), failed)
})

test('a cancelled execution can be rerun from its start, and one that is running or waiting cannot', async () => {
  const flow = await makeFlow(team, [delay('a', '1h')], ['start>a'])
  const id = await flow.start()
  assert.equal((await team.api.post(`${flow.executionsPath}/${id}/rerun`)).status, 400)
  await posthorn.runDueJobs()
  assert.equal((await team.api.post(`${flow.executionsPath}/${id}/rerun`)).status, 400)
  await team.api.post(`${flow.executionsPath}/${id}/cancel`)
  assert.equal((await team.api.post(`${flow.executionsPath}/${id}/rerun`, { fromFailedNode: true })).status, 400)
  assert.equal((await team.api.post(`${flow.executionsPath}/${id}/rerun`)).status, 201)
})

test('a rerun that is repeated with its Idempotency-Key starts no second execution, and another body with the key is refused', async () => {
  const flow = await makeFlow(team, [delay('a', '0s')], ['start>a'])
  const id = await flow.run(posthorn)
  const rerun = (key: string, body: object = {}) =>
    team.api.post(`${flow.executionsPath}/${id}/rerun`, body, { 'idempotency-key': key })
  const [first, second] = await Promise.all([rerun('once'), rerun('once')])
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.equal(second.body.id, first.body.id)
  await posthorn.runDueJobs()
  assert.equal((await rerun('once')).body.id, first.body.id)
  assert.notEqual((await rerun('another')).body.id, first.body.id)
  const reused = await rerun('once', { fromFailedNode: true })
  assert.deepEqual([reused.status, reused.body.name], [409, 'idempotency_key_reused'])
  assert.equal((await team.api.get(flow.executionsPath)).body.data.length, 3)
})
