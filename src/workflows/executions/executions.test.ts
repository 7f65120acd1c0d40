import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { broken, delay, entryOf, makeFlow, statusesOf } from './fixtures/flow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()
const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'

test('an execution starts on request, and its answer has the specified fields and no more', async () => {
  const flow = await makeFlow(team, [delay('a', '0s')], ['start>a'])
  const { status, body } = await team.api.post(flow.executionsPath)
  assert.equal(status, 200)
  const startedAt = posthorn.clock.now().toISOString()
  const fields = { workflowId: flow.id, status: 'running', nodeCount: 2, startedAt, completedAt: null, error: null }
  assert.deepEqual(body, { id: body.id, ...fields })
  const { body: before } = await team.api.get(`${flow.executionsPath}/${body.id}`)
  const blank = { inputData: null, outputData: null, error: null, startedAt: null, completedAt: null }
  assert.deepEqual(before, {
    ...body,
    triggerData: {},
    nodes: [
      {
        ...blank,
        id: before.nodes[0].id,
        nodeId: 'start',
        nodeType: 'manual',
        status: 'completed',
        outputData: {},
        startedAt,
        completedAt: startedAt,
      },
      { ...blank, id: before.nodes[1].id, nodeId: 'a', nodeType: 'delay', status: 'pending' },
    ],
  })
  await posthorn.runDueJobs()
  const { body: after } = await team.api.get(`${flow.executionsPath}/${body.id}`)
  assert.equal(after.status, 'completed')
  assert.deepEqual(
    pluck(after.nodes, 'id'),
    before.nodes.map(({ id }: { id: string }) => id),
    'entries keep their ids',
  )
  assert.notEqual(after.nodes[0].id, after.nodes[1].id)
})

test('a bad request is refused and starts no execution', async () => {
  const flow = await makeFlow(team, [delay('a', '0s')], ['start>a'])
  const bodies = [
    { triggerData: [] },
    { triggerData: 'x' },
    { vars: [] },
    { trigger: {} },
    { triggerData: { a: 'x\0' } },
    [],
    '{',
  ]
  for (const body of bodies)
    assert.equal((await team.api.post(flow.executionsPath, body)).status, 400, JSON.stringify(body))
  assert.equal((await team.api.post(flow.executionsPath, {}, { 'idempotency-key': 'ä' })).status, 400)
  assert.deepEqual((await team.api.get(flow.executionsPath)).body, { data: [], cursor: null, hasMore: false })
})

test('only an active workflow can be run', async () => {
  const { body: draft } = await team.api.post('/v1/workflows', { name: 'Draft' })
  assert.equal((await team.api.post(`/v1/workflows/${draft.id}/executions`)).status, 409)
  const flow = await makeFlow(team, [delay('a', '0s')], ['start>a'])
  await team.api.post(`${flow.path}/activate`)
  const refused = await team.api.post(flow.executionsPath)
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
  assert.equal((await team.api.post(`/v1/workflows/${unknown}/executions`)).status, 404)
})

test('a list has pages, newest first, and can be filtered by status', async () => {
  const flow = await makeFlow(team, [delay('a', '{{trigger.length}}')], ['start>a'])
  const ids: string[] = []
  for (const length of ['0s', '1h', 'bad', '0s', '1h']) ids.unshift(await flow.start({ length }))
  await posthorn.runDueJobs()
  const list = async (query: string) => (await team.api.get(`${flow.executionsPath}?${query}`)).body
  const first = await list('limit=3')
  const second = await list(`limit=3&cursor=${first.cursor}`)
  const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
  assert.deepEqual([...idsOf(first), ...idsOf(second)], ids)
  assert.deepEqual([first.hasMore, second.hasMore, second.cursor], [true, false, null])
  assert.deepEqual(idsOf(await list('status=waiting')), [ids[0], ids[3]])
  assert.deepEqual(idsOf(await list('status=failed')), [ids[2]])
  assert.deepEqual(idsOf(await list('status=cancelled')), [])
  const narrowed = await list('status=completed&limit=1')
  assert.equal(narrowed.hasMore, true)
  for (const query of [
    `status=failed&cursor=${narrowed.cursor}`,
    `cursor=${narrowed.cursor}`,
    'status=done',
    'limit=0',
    'limit=101',
  ]) {
    assert.equal((await team.api.get(`${flow.executionsPath}?${query}`)).status, 400, query)
  }
})

test('a list shows 200 characters of an error, and the execution shows all of it', async () => {
  const flow = await makeFlow(team, [delay('a', '{{trigger.length}}')], ['start>a'])
  const id = await flow.run(posthorn, { length: 'x'.repeat(150) })
  const { error } = await flow.get(id)
  const [item] = (await team.api.get(flow.executionsPath)).body.data
  assert.ok(error!.length > 200, error!)
  assert.equal(item.error, error!.slice(0, 200))
})

test('an execution of another team, of another workflow or of a deleted one is 404', async () => {
  const flow = await makeFlow(team, [delay('a', '1h')], ['start>a'])
  const id = await flow.start()
  const other = await makeFlow(team, [delay('a', '1h')], ['start>a'])
  const stranger = await posthorn.team()
  const tried: [typeof team.api, string][] = [
    [stranger.api, `${flow.executionsPath}/${id}`],
    [team.api, `${other.executionsPath}/${id}`],
    [team.api, `${flow.executionsPath}/${unknown}`],
  ]
  for (const [api, path] of tried) {
    for (const answer of [await api.get(path), await api.post(`${path}/cancel`), await api.post(`${path}/rerun`)]) {
      assert.deepEqual([answer.status, answer.body.name], [404, 'not_found'], path)
    }
  }
  assert.equal((await stranger.api.get(flow.executionsPath)).status, 404)
  assert.equal((await stranger.api.post(flow.executionsPath)).status, 404)
  assert.equal((await team.api.get(`${flow.executionsPath}/abc`)).status, 400)
  await team.api.post(`${flow.path}/activate`)
  await team.api.delete(flow.path)
  assert.equal((await team.api.get(`${flow.executionsPath}/${id}`)).status, 404)
})

test('names and data that have a meaning in JavaScript or in JSON of PostgreSQL are kept unchanged', async () => {
  const triggerData = JSON.parse('{"constructor": 1, "b": 1, "a": 2, "1": 0}')
  const flow = await makeFlow(
    team,
    [delay('__proto__', '0s'), delay('constructor', '0s')],
    ['start>__proto__>constructor'],
  )
  const id = await flow.run(posthorn, triggerData)
  const { text } = await team.api.get(`${flow.executionsPath}/${id}`)
  assert.ok(text.includes(`"triggerData":${JSON.stringify(triggerData)}`), text)
  assert.deepEqual(
    statusesOf(await flow.get(id)),
    JSON.parse('{"execution":"completed","__proto__":"completed","constructor":"completed"}'),
  )
})

test('a failed node shows its own error message', async () => {
  const flow = await makeFlow(team, [broken('a')], ['start>a'])
  const id = await flow.run(posthorn)
  const execution = await flow.get(id)
  assert.match(entryOf(execution, 'a').error!, /duration/)
  assert.equal(execution.error, `Node a failed: ${entryOf(execution, 'a').error}`)
})
