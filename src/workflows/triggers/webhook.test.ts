import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { activate } from './fixtures/active.ts'

const posthorn = await createTestApp({ PUBLIC_REQUESTS_PER_MINUTE: '100' })

const receiver = () => posthorn.team().then((team) => activate(team, { type: 'webhook_received' }))
const pathOf = ({ body }: { body: { triggerKey: string } }) => `/v1/workflows/triggers/${body.triggerKey}`

test('a POST to the URL starts an execution with its headers, its query and its body', async () => {
  const workflow = await receiver()
  assert.equal(workflow.body.triggerUrl, `http://localhost:3000${pathOf(workflow)}`)
  const body = { order: 4711, lines: [{ sku: 'a' }] }
  const answer = await ok(
    posthorn.anyone.post(`${pathOf(workflow)}?shop=1&tag=a&tag=b&empty=`, body, { 'X-Own': 'Yes' }),
  )
  assert.deepEqual(Object.keys(answer).sort(), ['executionId', 'status'])
  const [data] = await workflow.triggerData()
  assert.deepEqual(data.query, { shop: '1', tag: ['a', 'b'], empty: '' })
  assert.deepEqual(data.body, body)
  assert.equal(data.headers['x-own'], 'Yes')
  assert.equal(data.headers['content-type'], 'application/json')
  assert.deepEqual(pluck(await workflow.executions(), 'id'), [answer.executionId])
})

test('secrets of the sender and headers of the connection are not kept', async () => {
  const workflow = await receiver()
  const secret = 'Bearer of-the-sender-4711'
  await posthorn.anyone.post(
    pathOf(workflow),
    {},
    { authorization: secret, cookie: secret, connection: 'close', te: 'x' },
  )
  const [{ headers }] = await workflow.triggerData()
  assert.ok(headers.host)
  for (const name of ['authorization', 'cookie', 'connection', 'te']) assert.equal(name in headers, false, name)
  assert.equal(JSON.stringify(headers).includes('4711'), false)
})

test('any JSON is a body, and the body may be left out', async () => {
  const workflow = await receiver()
  const bodies = [['a', 1], 'text', 7, null, false]
  for (const body of bodies) {
    await ok(posthorn.anyone.post(pathOf(workflow), JSON.stringify(body)))
  }
  assert.equal((await posthorn.anyone.post(pathOf(workflow))).status, 200)
  assert.deepEqual(pluck(await workflow.triggerData(), 'body'), [...bodies, {}])
})

test('a body that is invalid or hostile JSON is refused and starts nothing', async () => {
  const workflow = await receiver()
  const path = pathOf(workflow)
  const json = { 'content-type': 'application/json' }
  const refused = [
    [await posthorn.anyone.post(path, 'hello', { 'content-type': 'text/plain' }), 415],
    [await posthorn.anyone.post(path, '{}', { 'content-type': 'application/+json' }), 415],
    [await posthorn.anyone.post(path, '{}', { 'content-type': 'application/a+json; charset=utf-16' }), 415],
    [await posthorn.anyone.post(path, 'a=1', { 'content-type': 'multipart/form-data; boundary=a' }), 415],
    [await posthorn.anyone.post(path, '{"a":', json), 400],
    [await posthorn.anyone.post(path, '['.repeat(200_000), json), 400],
    [await posthorn.anyone.post(path, '{"a":"\\u0000"}', json), 400],
    [await posthorn.anyone.post(path, '{"a":"\\ud800"}', json), 400],
    [await posthorn.anyone.post(path, '{"__proto__":{"a":1}}', json), 400],
    [await posthorn.anyone.post(path, JSON.stringify('a'.repeat(1024 * 1024)), json), 413],
    [await posthorn.anyone.post(`${path}?__proto__=1`, {}), 400],
    [await posthorn.anyone.post(`${path}?a=%00`, {}), 400],
    [await posthorn.anyone.post(`${path}?a=1&a=%00`, {}), 400],
    [await posthorn.anyone.post(path, {}, { 'idempotency-key': 'k'.repeat(256) }), 400],
  ] as const
  for (const [answer, status] of refused) assert.equal(answer.status, status, answer.text)
  assert.deepEqual(await workflow.executions(), [])
})

test('an unknown key is 404, and the URL of a workflow that is not active is 409', async () => {
  const workflow = await receiver()
  for (const key of ['unknown', workflow.id, `${workflow.body.triggerKey}x`, `%20${workflow.body.triggerKey}`]) {
    const answer = await posthorn.anyone.post(`/v1/workflows/triggers/${key}`, {})
    assert.equal(answer.status, 404, answer.text)
    assert.equal(answer.body.name, 'not_found')
  }
  await workflow.switch()
  const answer = await posthorn.anyone.post(pathOf(workflow), {})
  assert.equal(answer.status, 409)
  assert.equal(answer.body.name, 'conflict')
  await workflow.switch()
  assert.equal((await posthorn.anyone.post(pathOf(workflow), {})).status, 200)
})

test('the URL is unknown once the workflow has another trigger, active or not', async () => {
  const team = await posthorn.team()
  const workflow = await activate(team, { type: 'webhook_received' })
  const send = async () => (await posthorn.anyone.post(pathOf(workflow), {})).status
  await workflow.switch()
  assert.equal(await send(), 409)
  for (const types of [['manual'], [], ['webhook_received', 'manual']]) {
    const nodes = types.map((type, index) => ({ id: `n${index}`, type }))
    await ok(team.api.patch(workflow.path, { nodes, connections: [] }))
    assert.equal(await send(), 404, types.join())
  }
  await ok(team.api.patch(workflow.path, { nodes: [{ id: 'n0', type: 'manual' }], connections: [] }))
  await workflow.switch()
  assert.equal(await send(), 404)
})

test('repeats with the same Idempotency-Key return the original execution, whatever their body and the workflow’s status', async () => {
  const workflow = await receiver()
  const key = { 'idempotency-key': 'order-4711' }
  const send = (body: object) => posthorn.anyone.post(pathOf(workflow), body, key)
  const racing = await Promise.all([1, 2, 3, 4, 5].map((order) => send({ order })))
  await posthorn.runDueJobs()
  await workflow.switch()
  const later = await send({ another: 'body' })
  assert.equal(later.status, 200, later.text)
  assert.deepEqual(new Set([...racing, later].map(({ body }) => body.executionId)).size, 1)
  assert.equal(later.body.status, 'completed')
  assert.equal((await workflow.executions()).length, 1)
  const other = await receiver()
  const own = await posthorn.anyone.post(pathOf(other), {}, key)
  assert.notEqual(own.body.executionId, later.body.executionId)
})

test('callers are limited by their address', async () => {
  posthorn.clock.advance(60_000)
  const answers = await Promise.all(
    Array.from({ length: 101 }, () => posthorn.anyone.post('/v1/workflows/triggers/unknown', {})),
  )
  assert.deepEqual(
    answers.map(({ status }) => status).filter((status) => status !== 404),
    [429],
  )
})

test('a new trigger key replaces the old one at once, and only the workflow’s team can make one', async () => {
  const [team, stranger] = [await posthorn.team(), await posthorn.team()]
  const workflow = await activate(team, { type: 'webhook_received' })
  const path = `/v1/workflows/${workflow.id}/rotate-trigger-key`
  // Earlier tests have used up this minute's public requests.
  posthorn.clock.advance(60_000)
  const sending = await team.newKey({ permission: 'sending_access' })
  assert.equal((await stranger.api.post(path)).status, 404)
  assert.equal((await sending.api.post(path)).status, 403)
  assert.equal((await posthorn.anyone.post(pathOf(workflow))).status, 200)
  const renewed = await team.api.post(path)
  assert.equal(renewed.status, 200, renewed.text)
  assert.notEqual(renewed.body.triggerKey, workflow.body.triggerKey)
  assert.equal(renewed.body.triggerUrl, `http://localhost:3000${pathOf(renewed)}`)
  assert.equal((await posthorn.anyone.post(pathOf(workflow))).status, 404)
  assert.equal((await posthorn.anyone.post(pathOf(renewed))).status, 200)
  const manual = await activate(team, { type: 'manual' })
  const refused = await team.api.post(`/v1/workflows/${manual.id}/rotate-trigger-key`)
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
})
