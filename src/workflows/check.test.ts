import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../test/app.ts'
import { pluckRows } from '../../test/pluck.ts'
import { activate, draw } from './fixtures/make.ts'
import { line, node, sound } from './graph/fixtures/draw.ts'

const posthorn = await sharedTestApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

test('a check names the faults that activation names, each with its node, and changes nothing', async () => {
  const team = await posthorn.team()
  const drawing = {
    nodes: [
      node('start', 'manual'),
      { id: 'add', type: 'add_segment', config: { segment_id: unknownId } },
      { id: 'if', type: 'condition', config: {} },
      node('lost'),
    ],
    connections: [line('start', 'add'), line('add', 'if'), line('if', 'add')],
  }
  const { body: drawn } = await draw(team, drawing)
  const path = `/v1/workflows/${drawn.id}`
  const checked = await ok(team.api.post(`${path}/check`))
  const refused = await team.api.post(`${path}/activate`)
  type Fault = { nodeId: string | null; path: string; message: string }
  const faults: Fault[] = checked.faults
  assert.deepEqual(
    faults.map(({ path, message }) => ({ path, message })),
    refused.body.errors,
  )
  const nodesOf = (path: RegExp) => [
    ...new Set(faults.filter((one) => path.test(one.path)).map(({ nodeId }) => nodeId)),
  ]
  assert.deepEqual(nodesOf(/^nodes\[1\]\.config\.segment_id$/), ['add'])
  assert.deepEqual(nodesOf(/^nodes\[2\]\.config/), ['if'])
  assert.deepEqual(nodesOf(/^nodes\[3\]$/), ['lost'])
  assert.deepEqual(nodesOf(/^connections\[2\]\.branch$/), ['if'])
  assert.deepEqual(nodesOf(/^connections$/), [null])
  assert.deepEqual((await team.api.get(path)).body, drawn)
})

test('a sound workflow has no faults, active or not', async () => {
  const team = await posthorn.team()
  for (const { body } of [await draw(team, sound), await activate(team, sound)]) {
    assert.deepEqual((await team.api.post(`/v1/workflows/${body.id}/check`)).body, { faults: [] })
  }
})

test('a check takes no body, and no domain or template of another team is known to it', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const { id } = (await other.api.post('/v1/templates', { name: 'Theirs' })).body
  const config = { from: 'a@shop.test', to: 'ada@people.test', subject: 'Hello', template_id: id }
  const nodes = [node('start', 'manual'), { id: 'mail', type: 'send_email', config }]
  const { body } = await draw(team, { nodes, connections: [line('start', 'mail')] })
  const path = `/v1/workflows/${body.id}/check`
  const { faults } = (await team.api.post(path)).body
  assert.deepEqual(pluckRows(faults, 'nodeId', 'path'), [['mail', 'nodes[1].config.template_id']])
  assert.equal((await team.api.post(path, { deep: true })).status, 400)
  assert.equal((await team.api.post(`${path}?deep=true`)).status, 400)
})
