import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../../test/app.ts'
import { makeFlow } from './fixtures/flow.ts'

const posthorn = await sharedTestApp()

test('an execution shows the graph it began with, whatever the workflow has become', async () => {
  const team = await posthorn.team()
  const config = { url: 'https://shop.test/', method: 'GET', headers: { 'X-Shop': 'mine' } }
  const flow = await makeFlow(team, [{ id: 'call', type: 'http_request', config }], ['start>call'])
  const path = `/v1/workflows/${flow.id}`
  const { nodes, connections } = (await team.api.get(path)).body
  const { body: execution } = await team.api.post(flow.executionsPath)
  const graphPath = `${flow.executionsPath}/${execution.id}/graph`
  await team.api.post(`${path}/activate`)
  await team.api.patch(path, { nodes: [{ id: 'other', type: 'manual' }], connections: [] })
  const answer = await team.api.get(graphPath)
  assert.deepEqual([answer.status, answer.body], [200, { nodes, connections }])
  for (const role of ['marketer', 'viewer'] as const) {
    const shown = (await (await team.member(role)).api.get(graphPath)).body.nodes[1].config
    assert.deepEqual(shown, { ...config, headers: { 'X-Shop': '[hidden]' } })
  }
  const other = await makeFlow(team, [], [])
  assert.equal((await team.api.get(`${other.executionsPath}/${execution.id}/graph`)).status, 404)
})
