import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { makeWorkflow } from '../fixtures/make.ts'

const posthorn = await createTestApp()
const day = 24 * 60 * 60 * 1000

/** Each drawing has one node, whose position tells the drawings apart. */
const drawn = (x: number) => ({ nodes: [{ id: 'start', type: 'manual', position: { x, y: 0 } }], connections: [] })

async function countGraphs(workflowId: string): Promise<number> {
  const graphs = posthorn.app.db.selectFrom('workflow_graphs').select('id').where('workflow_id', '=', workflowId)
  return (await graphs.execute()).length
}

test('a workflow that is changed and activated again and again keeps no graphs that no execution has', async () => {
  const team = await posthorn.team()
  const workflow = await makeWorkflow(team, drawn(0))
  for (let x = 1; x <= 5; x++) {
    await workflow.switch()
    await ok(team.api.patch(workflow.path, drawn(x)))
    await workflow.switch()
    // The one that was replaced last stays until the next change.
    assert.equal(await countGraphs(workflow.id), 2)
  }
})

test('an execution keeps the graph that it started with until it is removed', async () => {
  const team = await posthorn.team()
  const workflow = await makeWorkflow(team, drawn(0))
  const id = await workflow.run(posthorn)
  for (let x = 1; x <= 3; x++) {
    await workflow.switch()
    await ok(team.api.patch(workflow.path, drawn(x)))
    await workflow.switch()
  }
  assert.equal(await countGraphs(workflow.id), 3)
  const graph = await ok(team.api.get(`${workflow.executionsPath}/${id}/graph`))
  assert.equal(graph.nodes[0].position.x, 0)
  const again = await team.api.post(`${workflow.executionsPath}/${id}/rerun`)
  assert.equal(again.status, 201, again.text)
  await ok((await team.member('owner')).api.patch('/v1/team/retention', { executionsDays: 10 }))
  for (let turn = 0; turn < 3; turn++) await posthorn.runDueJobsAfter(20 * day)
  assert.equal((await team.api.get(`${workflow.executionsPath}/${id}`)).status, 404)
  assert.equal(await countGraphs(workflow.id), 2)
})
