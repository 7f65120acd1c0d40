import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { activate, create, draw } from './fixtures/make.ts'
import { line, node, sound } from './graph/fixtures/draw.ts'

const posthorn = await createTestApp()

const empty = { nodes: [], connections: [], triggerUrl: null, triggerKey: null }
const webhook = { nodes: [node('hook', 'webhook_received')], connections: [] }

async function countGraphs(team: TestTeam): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from workflow_graphs where team_id = ${team.id}
  `.execute(posthorn.app.db)
  return rows[0]!.count
}

test('a new workflow is an empty draft, and reads back as written', async () => {
  const team = await posthorn.team()
  const made = await ok(team.api.post('/v1/workflows', { name: 'Welcome', description: 'For new customers' }), 201)
  const { id, ...rest } = made
  const createdAt = posthorn.clock.now().toISOString()
  assert.deepEqual(rest, {
    name: 'Welcome',
    description: 'For new customers',
    status: 'draft',
    ...empty,
    createdAt,
  })
  assert.deepEqual((await team.api.get(`/v1/workflows/${id}`)).body, made)
  assert.equal((await create(team)).body.description, null)
})

test('the list has complete workflows, newest first', async () => {
  const team = await posthorn.team()
  const one = (await draw(team, sound)).body
  const other = (await create(team)).body
  assert.deepEqual((await team.api.get('/v1/workflows')).body.data, [other, one])
  assert.equal(one.nodes.length, 5)
})

test('a saved graph reads back as it was written', async () => {
  const team = await posthorn.team()
  const config = { b: 1, a: [{ 'weird key ☃': null, constructor: 'x' }], 'nodes[0]': '{{trigger.x}}' }
  const drawing = { nodes: [node('a-_Z9', 'code', config), node('b')], connections: [line('a-_Z9', 'b')] }
  const saved = await draw(team, drawing)
  assert.equal(saved.status, 200, saved.text)
  assert.deepEqual([saved.body.nodes, saved.body.connections], [drawing.nodes, drawing.connections])
  assert.deepEqual((await team.api.get(`/v1/workflows/${saved.body.id}`)).body, saved.body)
})

test('fields left out of nodes and connections get their defaults', async () => {
  const team = await posthorn.team()
  const saved = await draw(team, {
    nodes: [
      { id: 'a', type: 'manual' },
      { id: 'b', type: 'filter' },
    ],
    connections: [{ id: 'c', source: 'a', target: 'b' }],
  })
  const { body: types } = await team.api.get('/v1/workflows/node-types')
  const titleOf = (wanted: string) => types.data.find(({ type }: { type: string }) => type === wanted).title
  const settled = { config: {}, position: { x: 0, y: 0 } }
  assert.deepEqual(saved.body.nodes, [
    { id: 'a', type: 'manual', name: titleOf('manual'), ...settled },
    { id: 'b', type: 'filter', name: titleOf('filter'), ...settled },
  ])
  assert.deepEqual(saved.body.connections, [{ id: 'c', source: 'a', target: 'b', branch: null }])
})

test('a change keeps the fields that it does not name', async () => {
  const team = await posthorn.team()
  const { body: drawn } = await draw(team, sound)
  const path = `/v1/workflows/${drawn.id}`
  const renamed = await team.api.patch(path, { name: 'Farewell', description: 'x' })
  assert.deepEqual(renamed.body, { ...drawn, name: 'Farewell', description: 'x' })
  for (const description of [null, '']) {
    await team.api.patch(path, { description: 'y' })
    assert.deepEqual((await team.api.patch(path, { description })).body, { ...drawn, name: 'Farewell' })
  }
  const moved = sound.nodes.map((one) => ({ ...one, position: { x: 7, y: 7 } }))
  assert.deepEqual((await team.api.patch(path, { nodes: moved })).body, { ...drawn, name: 'Farewell', nodes: moved })
  const { body: unconnected } = await team.api.patch(path, { connections: [] })
  assert.deepEqual(unconnected, { ...drawn, name: 'Farewell', nodes: moved, connections: [] })
})

test('only the last graph of a draft is kept', async () => {
  const team = await posthorn.team()
  const { body } = await draw(team, sound)
  for (let edit = 0; edit < 3; edit++) await team.api.patch(`/v1/workflows/${body.id}`, { nodes: sound.nodes })
  assert.equal(await countGraphs(team), 1)
})

test('a workflow with the trigger webhook_received shows its trigger URL, which stays the same', async () => {
  const team = await posthorn.team()
  const { body } = await draw(team, webhook)
  assert.match(body.triggerKey, /^[\w-]{22,}$/)
  assert.equal(body.triggerUrl, `http://localhost:3000/v1/workflows/triggers/${body.triggerKey}`)
  const path = `/v1/workflows/${body.id}`
  for (const nodes of [[node('start', 'manual')], [...webhook.nodes, node('start', 'manual')], []]) {
    const { body: other } = await team.api.patch(path, { nodes })
    assert.deepEqual([other.triggerUrl, other.triggerKey], [null, null])
  }
  assert.equal((await team.api.patch(path, webhook)).body.triggerKey, body.triggerKey)
})

test('a duplicate is a draft with the same graph, a new trigger key and no executions', async () => {
  const team = await posthorn.team()
  const { body: original } = await activate(team, webhook)
  await team.api.post(`/v1/workflows/${original.id}/executions`, {})
  const copied = await ok(team.api.post(`/v1/workflows/${original.id}/duplicate`))
  const { id, triggerKey, triggerUrl, createdAt, ...rest } = copied
  const { nodes, connections, description } = original
  assert.deepEqual(rest, { name: 'Welcome (copy)', description, status: 'draft', nodes, connections })
  assert.notEqual(id, original.id)
  assert.notEqual(triggerKey, original.triggerKey)
  assert.ok(triggerUrl.endsWith(triggerKey))
  assert.equal((await team.api.get(`/v1/workflows/${original.id}/executions`)).body.data.length, 1)
  assert.deepEqual((await team.api.get(`/v1/workflows/${id}/executions`)).body.data, [])
  await team.api.patch(`/v1/workflows/${id}`, { nodes: [] })
  assert.deepEqual((await team.api.get(`/v1/workflows/${original.id}`)).body.nodes, nodes)
})

test('the name of a copy is shortened to the limit by whole characters', async () => {
  const team = await posthorn.team()
  const made = await create(team, '𝕏'.repeat(200))
  const { body } = await team.api.post(`/v1/workflows/${made.body.id}/duplicate`)
  assert.equal(body.name, `${'𝕏'.repeat(193)} (copy)`)
})

test('an active workflow cannot be changed or deleted', async () => {
  const team = await posthorn.team()
  const { body: active } = await activate(team, sound)
  const path = `/v1/workflows/${active.id}`
  for (const answer of [await team.api.patch(path, { name: 'x' }), await team.api.delete(path)]) {
    assert.deepEqual([answer.status, answer.body.name], [409, 'conflict'])
    assert.match(answer.body.message, /Deactivate it first/)
  }
  assert.deepEqual((await team.api.get(path)).body, active)
})

const refused: Record<string, object> = {
  'no name': { description: 'x' },
  'an empty name': { name: '' },
  'a name of 201 characters': { name: 'x'.repeat(201) },
  'a description of 5,001 characters': { name: 'x', description: 'x'.repeat(5001) },
  'nodes from the start': { name: 'x', nodes: [] },
  'a misspelt field': { name: 'x', descripton: 'x' },
}
for (const [what, fields] of Object.entries(refused)) {
  test(`a new workflow with ${what} is refused`, async () => {
    const team = await posthorn.team()
    assert.equal((await team.api.post('/v1/workflows', fields)).status, 400)
    assert.deepEqual((await team.api.get('/v1/workflows')).body.data, [])
  })
}

test('a team has at most 1,000 workflows, including copies', async () => {
  const team = await posthorn.team()
  const { body: first } = await create(team)
  await sql`
    with more as (
      insert into workflows (team_id, id, name, graph_id, trigger_key, created_at)
      select ${team.id}, gen_random_uuid(), 'Many', gen_random_uuid(), gen_random_uuid(), now()
      from generate_series(1, 998) returning team_id, id, graph_id, created_at
    )
    insert into workflow_graphs (team_id, id, workflow_id, nodes, connections, created_at)
    select team_id, graph_id, id, '[]', '[]', created_at from more
  `.execute(posthorn.app.db)
  assert.equal((await create(team)).status, 201)
  for (const answer of [await create(team), await team.api.post(`/v1/workflows/${first.id}/duplicate`)]) {
    assert.deepEqual([answer.status, answer.body.name], [409, 'conflict'])
  }
  const { rows } = await sql`select from workflows where team_id = ${team.id}`.execute(posthorn.app.db)
  assert.equal(rows.length, 1000)
})

slowTest('the graphs of a team take at most 16 MiB', async () => {
  const team = await posthorn.team()
  const large = { nodes: [node('code', 'code', { source: 'x'.repeat(1_000_000) })], connections: [] }
  const { body } = await draw(team, large)
  const statuses = []
  for (let copy = 0; copy < 17; copy++)
    statuses.push((await team.api.post(`/v1/workflows/${body.id}/duplicate`)).status)
  assert.deepEqual(statuses, [...Array(15).fill(200), 409, 409])
  const { body: small } = await draw(team, { nodes: [], connections: [] })
  const refusal = await team.api.patch(`/v1/workflows/${small.id}`, large)
  assert.deepEqual([refusal.status, refusal.body.name], [409, 'conflict'])
  assert.equal((await team.api.patch(`/v1/workflows/${body.id}`, large)).status, 200)
})
