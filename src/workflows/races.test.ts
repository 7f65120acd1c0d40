import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok } from '../../test/app.ts'
import { pluck } from '../../test/pluck.ts'
import { slowTest } from '../../test/slow.ts'
import { draw } from './fixtures/make.ts'
import { line, node, sound } from './graph/fixtures/draw.ts'

const posthorn = await createTestApp()

test('requests that switch a workflow at the same moment do so one after the other, and the trigger follows', async () => {
  const team = await posthorn.team()
  const { body } = await draw(team, sound)
  const toggles = (count: number) =>
    Promise.all(Array.from({ length: count }, () => team.api.post(`/v1/workflows/${body.id}/activate`)))
  for (const [count, status, listening] of [
    [7, 'active', 1],
    [6, 'active', 1],
    [5, 'inactive', 0],
  ] as const) {
    const answers = await toggles(count)
    assert.ok(answers.every((answer) => answer.status === 200))
    assert.equal((await team.api.get(`/v1/workflows/${body.id}`)).body.status, status)
    const { rows } = await sql`select from workflow_triggers where team_id = ${team.id}`.execute(posthorn.app.db)
    assert.equal(rows.length, listening)
  }
})

slowTest('an edit at the same moment as an activation comes before it, or is refused', async () => {
  const team = await posthorn.team()
  for (let round = 0; round < 20; round++) {
    const { body } = await draw(team, sound)
    const path = `/v1/workflows/${body.id}`
    const nodes = [node('hook', 'webhook_received')]
    const [edited, activated] = await Promise.all([
      team.api.patch(path, { nodes, connections: [] }),
      team.api.post(`${path}/activate`),
    ])
    assert.equal(activated.status, 200, activated.text)
    assert.ok([200, 409].includes(edited.status), edited.text)
    const now = (await team.api.get(path)).body
    assert.deepEqual([now.status, now.nodes], ['active', edited.status === 200 ? nodes : sound.nodes])
    const { rows } = await sql<{ type: string }>`
      select type from workflow_triggers where workflow_id = ${body.id}
    `.execute(posthorn.app.db)
    assert.deepEqual(rows, [{ type: edited.status === 200 ? 'webhook_received' : 'manual' }])
  }
})

test('edits at the same moment leave the graph of one of them', async () => {
  const team = await posthorn.team()
  const { body } = await draw(team, sound)
  const path = `/v1/workflows/${body.id}`
  const drawings = Array.from({ length: 10 }, (_, n) => ({
    nodes: [node(`t${n}`, 'manual'), node('a')],
    connections: [line(`t${n}`, 'a')],
  }))
  const answers = await Promise.all(drawings.map((drawing) => team.api.patch(path, drawing)))
  assert.ok(answers.every(({ status }) => status === 200))
  const { nodes, connections } = (await team.api.get(path)).body
  assert.ok(
    drawings.some(
      (drawing) => drawing.nodes[0]!.id === nodes[0].id && drawing.connections[0]!.id === connections[0].id,
    ),
  )
  const { rows } = await sql`select from workflow_graphs where workflow_id = ${body.id}`.execute(posthorn.app.db)
  assert.equal(rows.length, 1)
})

slowTest(
  'a deletion at the same moment as an activation succeeds or is refused, and leaves no trigger behind',
  async () => {
    const team = await posthorn.team()
    for (let round = 0; round < 20; round++) {
      const { body } = await draw(team, sound)
      const path = `/v1/workflows/${body.id}`
      const [deleted, activated] = await Promise.all([team.api.delete(path), team.api.post(`${path}/activate`)])
      const isDeleted = deleted.status === 200
      assert.deepEqual([deleted.status, activated.status], isDeleted ? [200, 404] : [409, 200])
      const { rows } = await sql`select from workflow_triggers where workflow_id = ${body.id}`.execute(posthorn.app.db)
      assert.equal(rows.length, isDeleted ? 0 : 1)
    }
  },
)

slowTest('an execution that starts during an edit runs the old or the new graph', async () => {
  const team = await posthorn.team()
  for (let round = 0; round < 10; round++) {
    const { body } = await draw(team, { nodes: [node('t', 'manual')], connections: [] })
    const path = `/v1/workflows/${body.id}`
    await team.api.post(`${path}/activate`)
    const [started] = await Promise.all([
      team.api.post(`${path}/executions`, {}),
      team.api.post(`${path}/activate`),
      team.api.patch(path, { nodes: [node('other', 'manual')] }),
    ])
    await team.api.patch(path, { nodes: [node('another', 'manual')] })
    assert.ok([200, 409].includes(started.status), started.text)
    if (started.status === 409) continue
    await posthorn.runDueJobs()
    const { body: execution } = await team.api.get(`${path}/executions/${started.body.id}`)
    assert.equal(execution.status, 'completed')
    assert.deepEqual(pluck(execution.nodes, 'nodeId'), ['t'])
  }
})

test('executions and their reruns keep the graph that they began with, also after edits', async () => {
  const team = await posthorn.team()
  const { body } = await draw(team, { nodes: [node('first', 'manual')], connections: [] })
  const path = `/v1/workflows/${body.id}`
  await team.api.post(`${path}/activate`)
  const { body: started } = await team.api.post(`${path}/executions`, {})
  await posthorn.runDueJobs()
  await team.api.post(`${path}/activate`)
  for (const id of ['second', 'third']) await team.api.patch(path, { nodes: [node(id, 'manual')] })
  await team.api.post(`${path}/activate`)
  const rerun = await ok(team.api.post(`${path}/executions/${started.id}/rerun`), 201)
  for (const id of [started.id, rerun.id]) {
    const { body: execution } = await team.api.get(`${path}/executions/${id}`)
    assert.deepEqual(pluck(execution.nodes, 'nodeId'), ['first'])
  }
  const { rows } = await sql`select from workflow_graphs where workflow_id = ${body.id}`.execute(posthorn.app.db)
  assert.equal(rows.length, 2)
})
