import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ok, sharedTestApp } from '../../../test/app.ts'

const posthorn = await sharedTestApp()
const { app } = posthorn

const url = 'https://hooks.slack.com/services/T00/B00/s3cretplace'
const secret = 'Bearer s3cretvalue'
const drawing = {
  nodes: [
    { id: 'start', type: 'manual', name: 'Start' },
    {
      id: 'ask',
      type: 'http_request',
      name: 'Ask',
      config: { method: 'GET', url: 'https://api.example.com/', headers: { Authorization: secret, 'X-Plain': 'open' } },
    },
    { id: 'tell', type: 'slack_notification', name: 'Tell', config: { webhook_url: url, text: 'Done' } },
  ],
  connections: [
    { id: 'a', source: 'start', target: 'ask' },
    { id: 'b', source: 'ask', target: 'tell' },
  ],
}

test('headers of requests and addresses of chats are encrypted in the database, and shown to their authors as they wrote them', async () => {
  const team = await posthorn.team()
  const { body } = await team.api.post('/v1/workflows', { name: 'Secret' })
  const path = `/v1/workflows/${body.id}`
  await ok(team.api.patch(path, drawing))
  const { rows } = await sql<{ row: string }>`
    select graph::text as row from workflow_graphs as graph where team_id = ${team.id} and workflow_id = ${body.id}
  `.execute(app.db)
  assert.equal(rows.length, 1)
  for (const hidden of ['s3cretvalue', 's3cretplace', 'X-Plain']) assert.ok(!rows[0]!.row.includes(hidden), hidden)
  const read = await team.api.get(path)
  assert.deepEqual(read.body.nodes[1].config.headers, { Authorization: secret, 'X-Plain': 'open' })
  assert.equal(read.body.nodes[2].config.webhook_url, url)
  const copied = await team.api.post(`${path}/duplicate`)
  assert.equal((await team.api.get(`/v1/workflows/${copied.body.id}`)).body.nodes[2].config.webhook_url, url)
})

test('a graph from before its secrets were encrypted is read as it was, and encrypted when it is saved', async () => {
  const team = await posthorn.team()
  const { body } = await team.api.post('/v1/workflows', { name: 'Older' })
  const path = `/v1/workflows/${body.id}`
  const { nodes } = (await team.api.patch(path, drawing)).body
  await sql`
    update workflow_graphs set nodes = ${JSON.stringify(nodes)}::jsonb, secrets = null where team_id = ${team.id}
  `.execute(app.db)
  assert.deepEqual((await team.api.get(path)).body.nodes, nodes)
  assert.equal((await team.api.patch(path, { nodes })).status, 200)
  const { rows } = await sql<{ row: string }>`
    select graph::text as row from workflow_graphs as graph where team_id = ${team.id} and workflow_id = ${body.id}
  `.execute(app.db)
  assert.ok(rows.every(({ row }) => !row.includes('s3cret')))
})

test('a node may have any id, and keeps its secret', async () => {
  const team = await posthorn.team()
  const { body } = await team.api.post('/v1/workflows', { name: 'Named' })
  const path = `/v1/workflows/${body.id}`
  const named = ['__proto__', 'constructor', 'toString'].map((id) => ({ ...drawing.nodes[1]!, id }))
  await ok(team.api.patch(path, { nodes: [drawing.nodes[0], ...named], connections: [] }))
  const { nodes } = (await team.api.get(path)).body
  const headers = nodes.slice(1).map(({ config }: { config: { headers: object } }) => config.headers)
  assert.deepEqual(headers, Array(3).fill({ Authorization: secret, 'X-Plain': 'open' }))
})
