import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { startPeer } from '../fixtures/peer.ts'
import { call, delay, entryOf, makeFlow, statusesOf } from './fixtures/flow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()

test('an execution that is cancelled before it began never runs', async () => {
  const peer = await startPeer()
  const flow = await makeFlow(team, [call('a', peer.url)], ['start>a'])
  const id = await flow.start()
  const { status, body } = await team.api.post(`${flow.executionsPath}/${id}/cancel`)
  assert.deepEqual([status, body.id, body.status], [200, id, 'cancelled'])
  assert.equal(body.completedAt, posthorn.clock.now().toISOString())
  await posthorn.runDueJobs()
  assert.deepEqual(statusesOf(await flow.get(id)), { execution: 'cancelled', a: 'pending' })
  assert.equal(peer.asked.length, 0)
  assert.equal((await team.api.post(`${flow.executionsPath}/${id}/cancel`)).status, 409)
})

test('the delay of an execution that is cancelled while it waits is skipped and never fires', async () => {
  const flow = await makeFlow(
    team,
    [delay('long', '1h'), delay('short', '5s'), delay('after', '0s')],
    ['start>long>after', 'start>short'],
  )
  const id = await flow.run(posthorn)
  await team.api.post(`${flow.executionsPath}/${id}/cancel`)
  await posthorn.runDueJobsAfter(3_600_000)
  assert.deepEqual(statusesOf(await flow.get(id)), {
    execution: 'cancelled',
    long: 'skipped',
    short: 'skipped',
    after: 'pending',
  })
})

for (const type of ['http_request', 'slack_notification']) {
  test(`a cancel while ${type} is under way aborts its request, and its outcome is not recorded`, async () => {
    const peer = await startPeer()
    const asked = Promise.withResolvers<{ closed: Promise<unknown> }>()
    peer.answer = (response) => asked.resolve({ closed: once(response, 'close') })
    const post = { id: 'slow', type, config: { webhook_url: peer.url, message: 'Hello' } }
    const slow = type === 'http_request' ? call('slow', peer.url) : post
    const flow = await makeFlow(team, [slow, delay('after', '0s')], ['start>slow>after'])
    const id = await flow.start()
    const running = posthorn.runDueJobs()
    const { closed } = await asked.promise
    assert.equal((await team.api.post(`${flow.executionsPath}/${id}/cancel`)).status, 200)
    // The peer never answers: the run closes its connection, which ends both.
    await running
    await closed
    const execution = await flow.get(id)
    assert.deepEqual(statusesOf(execution), { execution: 'cancelled', slow: 'failed', after: 'pending' })
    assert.match(entryOf(execution, 'slow').error!, /may have taken effect/)
  })
}

test('an execution under way goes on when its workflow is deactivated', async () => {
  const flow = await makeFlow(team, [delay('a', '1h'), delay('b', '0s')], ['start>a>b'])
  const id = await flow.run(posthorn)
  await team.api.post(`${flow.path}/activate`)
  await posthorn.runDueJobsAfter(3_600_000)
  assert.equal((await flow.get(id)).status, 'completed')
})

test('the deletion of a workflow ends its executions under way', async () => {
  const peer = await startPeer()
  const flow = await makeFlow(team, [delay('a', '1h'), call('b', peer.url)], ['start>a>b'])
  await flow.run(posthorn)
  await team.api.post(`${flow.path}/activate`)
  assert.equal((await team.api.delete(flow.path)).status, 200)
  await posthorn.runDueJobsAfter(3_600_000)
  assert.equal(peer.asked.length, 0)
  const left = await posthorn.app.db.selectFrom('jobs').select('id').where('kind', 'like', 'workflows.%').execute()
  assert.deepEqual(left, [])
})
