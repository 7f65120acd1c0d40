import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, createTestApp, ok, sharedTestApp, type TestApp } from '../../test/app.ts'
import { productionEnvironment } from '../../test/production.ts'
import { slowTest } from '../../test/slow.ts'

const posthorn = await sharedTestApp()
const address = 'https://hooks.slack.com/services/T000/B000/XXXX'
const start = { id: 'start', type: 'webhook_received' }
const call = {
  id: 'call',
  type: 'http_request',
  config: { url: 'https://shop.test/', method: 'GET', headers: { 'X-Shop': 'mine', Authorization: 'Bearer secret' } },
}
const chat = { id: 'chat', type: 'slack_notification', config: { webhook_url: address, message: 'Hello' } }

async function drawn(api: Api, ...nodes: { id: string; type: string; config?: object }[]) {
  const { body } = await api.post('/v1/workflows', { name: 'Mine' })
  const connections = nodes.map(({ id }, index) => ({
    id: `to-${id}`,
    source: nodes[index - 1]?.id ?? 'start',
    target: id,
  }))
  await ok(api.patch(`/v1/workflows/${body.id}`, { nodes: [start, ...nodes], connections }))
  return `/v1/workflows/${body.id}`
}

test('marketers and viewers see no trigger key, values of headers and addresses of chats', async () => {
  const team = await posthorn.team()
  const path = await drawn(team.api, call, chat)
  for (const role of ['marketer', 'viewer'] as const) {
    const { api } = await team.member(role)
    const answers = [(await api.get(path)).body, (await api.get('/v1/workflows')).body.data[0]]
    for (const { triggerKey, triggerUrl, nodes } of answers) {
      assert.deepEqual([triggerKey, triggerUrl], [null, null])
      assert.deepEqual(nodes[1].config.headers, { 'X-Shop': '[hidden]', Authorization: '[hidden]' })
      assert.deepEqual(nodes[2].config, { webhook_url: 'https://hooks.slack.com/[hidden]', message: 'Hello' })
    }
  }
  for (const role of ['owner', 'admin', 'developer'] as const) {
    const { triggerKey, nodes } = (await (await team.member(role)).api.get(path)).body
    assert.deepEqual([nodes[1].config.headers['X-Shop'], nodes[2].config.webhook_url], ['mine', address])
    assert.ok(triggerKey)
  }
})

test('marketers start and switch workflows with code or requests, and neither edit nor duplicate them', async () => {
  const team = await posthorn.team()
  const { api } = await team.member('marketer')
  const path = await drawn(team.api, call)
  const switched = await api.post(`${path}/activate`)
  assert.deepEqual([switched.status, switched.body.status, switched.body.triggerKey], [200, 'active', null])
  await ok(api.post(`${path}/executions`))
  assert.equal((await api.post(`${path}/activate`)).status, 200)
  const answers = [
    await api.patch(path, { name: 'Other' }),
    await api.patch(path, { nodes: [start], connections: [] }),
    await api.post(`${path}/duplicate`),
    await api.delete(path),
    await api.post(`${path}/rotate-trigger-key`),
  ]
  for (const { status, body } of answers) assert.deepEqual([status, body.name], [403, 'forbidden'])
  const own = await drawn(api, chat)
  for (const type of ['code', 'http_request']) {
    const added = await api.patch(own, { nodes: [start, { id: 'x', type }], connections: [] })
    assert.deepEqual([added.status, added.body.name], [403, 'forbidden'])
  }
  assert.equal((await api.delete(own)).status, 200)
})

slowTest('a marketer saves messages to chats only, since a message to another host is a request', async () => {
  const named = await createTestApp({ CHAT_HOSTS: 'chat.example.com, *.talk.example' })
  const production = await createTestApp({
    ...productionEnvironment,
  })
  const to = (webhook_url: unknown) => ({ nodes: [start, { ...chat, config: { webhook_url, message: 'x' } }] })
  const save = async (app: TestApp, url: unknown) => {
    const { api } = await (await app.team()).member('marketer')
    return api.patch(await drawn(api), to(url))
  }
  for (const [app, urls] of [
    [
      posthorn,
      [address, 'https://discord.com/api/webhooks/{{trigger.id}}', 'https://discordapp.com/x', '', 'https', 4],
    ],
    [posthorn, ['http://127.0.0.1:9/hook', 'http://localhost:8065/hook']],
    [named, ['https://chat.example.com/hooks/x', 'https://a.talk.example/x']],
  ] as const) {
    for (const url of urls) assert.equal((await save(app, url)).status, 200, String(url))
  }
  for (const [app, urls] of [
    [posthorn, ['https://shop.example/x', 'https://hooks.slack.com.evil.example/x', 'https://chat.example.com/x']],
    [posthorn, ['{{trigger.url}}', 'https://{{trigger.host}}/x', 'https://hooks.slack.com{{trigger.more}}/x']],
    [posthorn, ['https://evil.example\\@hooks.slack.com/{{trigger.id}}', 'http://10.0.0.1/x']],
    [named, ['https://talk.example/x']],
    [production, ['http://127.0.0.1:9/hook']],
  ] as const) {
    for (const url of urls) {
      const { status, body } = await save(app, url)
      assert.deepEqual([status, body.name], [403, 'forbidden'], url)
      assert.match(body.message, /^A message to another host than hooks\.slack\.com, .* needs the role owner/)
    }
  }
})

test('a message of a developer to another host is switched and started by a marketer, and not changed', async () => {
  const team = await posthorn.team()
  const { api } = await team.member('marketer')
  const path = await drawn(team.api, { ...chat, config: { webhook_url: 'https://shop.example/x', message: 'x' } })
  assert.equal((await api.post(`${path}/activate`)).status, 200)
  assert.equal((await api.post(`${path}/executions`)).status, 200)
  assert.equal((await api.post(`${path}/activate`)).status, 200)
  const refused = [
    await api.patch(path, { name: 'Other' }),
    await api.post(`${path}/duplicate`),
    await api.delete(path),
  ]
  for (const { status, body } of refused) assert.deepEqual([status, body.name], [403, 'forbidden'])
})

test('a marketer who saves a hidden address unchanged keeps it', async () => {
  const team = await posthorn.team()
  const { api } = await team.member('marketer')
  const path = await drawn(team.api, chat)
  const { nodes } = (await api.get(path)).body
  nodes[1].config.message = 'Hello again'
  const saved = await api.patch(path, { nodes })
  assert.equal(saved.body.nodes[1].config.webhook_url, 'https://hooks.slack.com/[hidden]')
  assert.deepEqual((await team.api.get(path)).body.nodes[1].config, { webhook_url: address, message: 'Hello again' })
})

test('a hidden address or header that nothing is known for is refused and not saved as it reads', async () => {
  const team = await posthorn.team()
  const { api } = await team.member('marketer')
  const path = await drawn(team.api, chat)
  const { nodes } = (await api.get(path)).body
  const copy = { ...nodes[1], id: 'copy' }
  const other = { ...nodes[1], type: 'discord_notification' }
  for (const changed of [
    [...nodes, copy],
    [nodes[0], other],
    [nodes[0], { ...chat, config: { ...chat.config, webhook_url: '[hidden]' } }],
  ]) {
    const { status, body } = await api.patch(path, { nodes: changed, connections: [] })
    const at = `nodes[${changed.length - 1}].config.webhook_url`
    assert.deepEqual([status, body.errors?.map((fault: { path: string }) => fault.path)], [400, [at]])
    assert.match(body.errors[0].message, /is hidden, and no secret is known for it\. Enter it again/)
  }
  const copied = { ...call, config: { ...call.config, headers: { Authorization: '[hidden]', 'X-Shop': 'mine' } } }
  const answer = await team.api.patch(path, { nodes: [start, copied], connections: [] })
  assert.deepEqual([answer.status, answer.body.errors?.[0].path], [400, 'nodes[1].config.headers'])
  assert.equal((await team.api.get(path)).body.nodes[1].config.webhook_url, address)
})

test('the history hides all values of headers from marketers and viewers', async () => {
  const team = await posthorn.team()
  const path = await drawn(team.api, { ...call, config: { ...call.config, url: 'http://127.0.0.1:9/' } })
  await team.api.post(`${path}/activate`)
  const { id } = (await team.api.post(`${path}/executions`)).body
  await posthorn.app.transaction((tx) =>
    tx.db
      .insertInto('workflow_execution_nodes')
      .values({
        ...{ team_id: team.id, execution_id: id, node_id: 'call', id: tx.newId(), node_type: 'http_request' },
        ...{ status: 'running', attempts: 1, interruptions: 0, started_at: tx.now },
        input_data: JSON.stringify({ ...call.config, headers: { 'X-Shop': 'mine' } }),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
  const headersFor = async (api: Api) => {
    const { nodes } = (await api.get(`${path}/executions/${id}`)).body
    return nodes.find(({ nodeId }: { nodeId: string }) => nodeId === 'call').inputData.headers['X-Shop']
  }
  assert.equal(await headersFor((await team.member('viewer')).api), '[hidden]')
  assert.equal(await headersFor((await team.member('developer')).api), 'mine')
})
