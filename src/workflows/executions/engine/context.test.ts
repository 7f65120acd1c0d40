import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { startPeer } from '../../fixtures/peer.ts'
import { call, delay, entryOf, makeFlow, statusesOf } from '../fixtures/flow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()

test('a node sees the outputs of nodes that lead to it, and not those of other branches', async () => {
  const peer = await startPeer()
  peer.answer = (response) => response.end('answered')
  const body = '{{node_first.body}} {{node_beside.body}} {{node_start.n}}'
  const nodes = [
    call('first', peer.url),
    call('beside', peer.url),
    delay('wait', '1h'),
    call('last', peer.url, { body }),
  ]
  const flow = await makeFlow(team, nodes, ['start>first>wait>last', 'start>beside'])
  const id = await flow.run(posthorn, { n: 5 })
  await posthorn.runDueJobsAfter(3_600_000)
  assert.equal(entryOf(await flow.get(id), 'last').inputData.body, 'answered {{node_beside.body}} 5')
})

test('a node that throws an unforeseen error fails without showing the error to the team', async () => {
  const flow = await makeFlow(team, [delay('a', '1s')], ['start>a'])
  await replaceNode(flow.id, { type: 'delay', config: { duration: 5 } })
  const id = await flow.run(posthorn)
  const execution = await flow.get(id)
  assert.deepEqual(statusesOf(execution), { execution: 'failed', a: 'failed' })
  assert.match(entryOf(execution, 'a').error!, /^Something went wrong in Posthorn/)
})

test('a node of a type that no longer exists fails, and names the type', async () => {
  const flow = await makeFlow(team, [delay('a', '1s')], ['start>a'])
  await replaceNode(flow.id, { type: 'telegram', config: {} })
  const id = await flow.run(posthorn)
  assert.match(entryOf(await flow.get(id), 'a').error!, /telegram/)
})

test('an execution that twenty processes could not continue fails', async () => {
  const flow = await makeFlow(team, [delay('a', '1h')], ['start>a'])
  const id = await flow.run(posthorn)
  await posthorn.app.db.updateTable('jobs').set({ attempts: 20 }).where('key', '=', id).execute()
  // The attempts are counted from one again.
  await posthorn.runDueJobsAfter(3_600_000)
  assert.equal((await flow.get(id)).status, 'completed')
  const stuck = await flow.start()
  await posthorn.app.db.updateTable('jobs').set({ attempts: 20 }).where('key', '=', stuck).execute()
  await posthorn.runDueJobs()
  const execution = await flow.get(stuck)
  assert.deepEqual(statusesOf(execution), { execution: 'failed', a: 'pending' })
  assert.match(execution.error!, /^Given up/)
})

/** Saves a node `a` that only the checks of an older release accept. */
async function replaceNode(workflowId: string, a: { type: string; config: object }): Promise<void> {
  const common = { name: '', position: { x: 0, y: 0 } }
  const nodes = [
    { ...common, id: 'start', type: 'manual', config: {} },
    { ...common, id: 'a', ...a },
  ]
  await posthorn.app.db
    .updateTable('workflow_graphs')
    .set({ nodes: JSON.stringify(nodes) } as never)
    .where('workflow_id', '=', workflowId)
    .execute()
}
