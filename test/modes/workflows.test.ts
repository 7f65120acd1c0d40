import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeWorkflow } from '../../src/workflows/fixtures/make.ts'
import { type Peer, startPeer } from '../../src/workflows/fixtures/peer.ts'
import { chainOf } from '../../src/workflows/fixtures/workflow.ts'
import { type Api, createTestApp } from '../app.ts'
import { pluck, pluckRows } from '../pluck.ts'
import { startSink } from '../smtp-sink.ts'

const sink = await startSink()
after(() => sink.close())
const posthorn = await createTestApp({
  EMAIL_PROVIDER: 'smtp',
  SMTP_RELAY_URL: sink.url,
  OUTBOUND_ALLOW: '127.0.0.0/8',
})

async function withTestKey() {
  const team = await posthorn.team()
  const make = async (mode: string): Promise<string> =>
    (await team.api.post('/v1/api-keys', { name: mode, permission: 'full_access', mode })).body.key
  const keys = { live: await make('live'), test: await make('test') }
  return { team, keys, trial: posthorn.as(keys.test), from: `a@${team.domain}` }
}

async function settle() {
  for (let turn = 0; turn < 3; turn++) {
    await posthorn.runDueJobs()
    posthorn.clock.advance(2000)
  }
}

const send = (from: string) => ({
  type: 'send_email',
  config: { from, to: '{{trigger.to}}', subject: 'From a workflow', text: 'Hello' },
})
const call = (url: string, headers = {}, body = '{}') => ({
  type: 'http_request',
  config: { url, method: 'POST', headers, body },
})
const data = { to: 'ada@people.test' }
const modesOf = ({ asked }: Peer) => asked.map(({ headers }) => headers['posthorn-mode'])

async function detail(api: Api, path: string) {
  const { status, body, text } = await api.get(path)
  assert.deepEqual([status, body.status], [200, 'completed'], text)
  return body
}

test('a test key runs a workflow of the team in test mode, and a live key the same workflow live', async () => {
  const { team, trial, from } = await withTestKey()
  const peer = await startPeer()
  const workflow = await makeWorkflow(team, chainOf([send(from), call(peer.url)]))
  const before = sink.messages.length
  const tried = await trial.post(workflow.executionsPath, { triggerData: data })
  assert.deepEqual([tried.status, tried.body.mode], [200, 'test'], tried.text)
  await settle()
  const execution = await detail(trial, `${workflow.executionsPath}/${tried.body.id}`)
  assert.equal(execution.mode, 'test')
  assert.equal(sink.messages.length, before)
  assert.deepEqual(modesOf(peer), ['test'])
  assert.deepEqual((await trial.get('/v1/inbox')).body.data.length, 1)
  assert.equal((await trial.get(`${workflow.executionsPath}/${tried.body.id}/graph`)).body.nodes.length, 3)
  const email = execution.nodes.find(({ nodeType }: { nodeType: string }) => nodeType === 'send_email').outputData
  assert.equal((await trial.get(`/v1/emails/${email.emailId}`)).body.mode, 'test')
  assert.equal((await team.api.get(`/v1/emails/${email.emailId}`)).status, 404)
  const live = await workflow.start(data)
  await settle()
  assert.equal(sink.messages.length, before + 1)
  assert.deepEqual(modesOf(peer), ['test', undefined])
  assert.equal('mode' in (await detail(team.api, `${workflow.executionsPath}/${live}`)), false)
  const idsOf = async (api: Api) =>
    (await api.get(workflow.executionsPath)).body.data.map(({ id }: { id: string }) => id)
  assert.deepEqual([await idsOf(team.api), await idsOf(trial)], [[live], [tried.body.id]])
  for (const [api, id] of [
    [team.api, tried.body.id],
    [trial, live],
  ] as const) {
    const path = `${workflow.executionsPath}/${id}`
    for (const answer of [await api.get(path), await api.post(`${path}/rerun`), await api.post(`${path}/cancel`)]) {
      assert.equal(answer.status, 404, answer.text)
    }
  }
  const again = await trial.post(`${workflow.executionsPath}/${tried.body.id}/rerun`)
  assert.deepEqual([again.status, again.body.mode], [201, 'test'], again.text)
  await settle()
  assert.equal(sink.messages.length, before + 1)
})

test('a user sees test executions with mode=test, and deleting the workflow deletes them', async () => {
  const { team, trial, from } = await withTestKey()
  const workflow = await makeWorkflow(team, chainOf([send(from)]))
  const header = { 'idempotency-key': 'order-1' }
  const live = await workflow.start(data, header)
  const { body: tried } = await trial.post(workflow.executionsPath, { triggerData: data }, header)
  assert.notEqual(tried.id, live)
  await settle()
  const { api: user } = await team.member('developer')
  const { body } = await user.get(`${workflow.executionsPath}?mode=test`)
  assert.deepEqual(pluckRows(body.data, 'id', 'mode'), [[tried.id, 'test']])
  assert.equal((await user.get(`${workflow.executionsPath}/${tried.id}`)).status, 404)
  assert.equal((await user.get(`${workflow.executionsPath}/${tried.id}?mode=test`)).status, 200)
  assert.equal((await trial.get(`${workflow.executionsPath}?mode=test`)).status, 200, 'the own mode of the key')
  const other = await trial.get(`${workflow.executionsPath}?mode=live`)
  assert.deepEqual(
    [other.status, other.body.message],
    [400, 'mode: must be test, the mode of this API key, or left out'],
  )
  await workflow.switch()
  await team.api.delete(workflow.path)
  await posthorn.runDueJobs()
  const rows = posthorn.app.db.selectFrom('workflow_executions').select('id').where('workflow_id', '=', workflow.id)
  assert.deepEqual(await rows.execute(), [])
})

test('a test key reads the workflows of the team without their secrets, and changes none', async () => {
  const { team, trial } = await withTestKey()
  const start = { id: 'start', type: 'webhook_received' }
  const step = call('https://people.test', { 'X-Token': 'secret-of-the-team' })
  const workflow = await makeWorkflow(team, chainOf([step], start))
  const read = await trial.get(workflow.path)
  assert.deepEqual([read.status, read.body.triggerUrl, read.body.triggerKey], [200, null, null])
  const list = await trial.get('/v1/workflows')
  assert.deepEqual(pluck(list.body.data, 'id'), [workflow.id])
  const checked = await trial.post(`${workflow.path}/check`)
  assert.deepEqual([checked.status, checked.body], [200, { faults: [] }], checked.text)
  for (const { text } of [read, list]) assert.ok(!text.includes('secret-of-the-team'), text)
  for (const answer of [
    await trial.patch(workflow.path, { name: 'Mine' }),
    await trial.delete(workflow.path),
    await trial.post(`${workflow.path}/activate`),
    await trial.post(`${workflow.path}/rotate-trigger-key`),
    await trial.post(`${workflow.path}/duplicate`),
  ]) {
    assert.deepEqual([answer.status, /live/.test(answer.body.message)], [403, true], answer.text)
  }
  const { api: user } = await team.member('developer')
  const copy = await user.post(`${workflow.path}/duplicate?mode=test`)
  assert.deepEqual([copy.status, copy.body.mode], [200, 'test'], copy.text)
  assert.equal((await team.api.get(`/v1/workflows/${copy.body.id}`)).status, 404)
})

test('a workflow of a test key is unknown to live keys, and its URL and schedule start test executions', async () => {
  const { team, trial, from } = await withTestKey()
  const before = sink.messages.length
  const plain = (trigger: object) =>
    makeWorkflow(
      { api: trial },
      chainOf([{ ...send(from), config: { ...send(from).config, to: data.to } }], trigger as never),
    )
  const called = await plain({ type: 'webhook_received' })
  const timed = await plain({ type: 'schedule', config: { cron: '*/5 * * * *' } })
  for (const { id, path, body } of [called, timed]) {
    assert.equal(body.mode, 'test')
    assert.equal((await team.api.get(path)).status, 404)
    assert.equal((await team.api.post(`${path}/executions`)).status, 404)
    assert.ok(!(await team.api.get('/v1/workflows')).text.includes(id))
  }
  const url = new URL(called.body.triggerUrl).pathname
  assert.equal((await posthorn.anyone.post(url, {})).status, 200)
  posthorn.clock.advance(300_000)
  await settle()
  for (const workflow of [called, timed]) {
    const [execution] = await workflow.executions()
    assert.deepEqual([execution.status, execution.mode], ['completed', 'test'])
  }
  assert.equal((await trial.get('/v1/inbox')).body.data.length, 2)
  assert.equal(sink.messages.length, before)
})

test('test events start workflows of test keys only, and live events live ones', async () => {
  const { team, trial, from } = await withTestKey()
  const trigger = { type: 'email_event', config: { events: ['delivered'] } }
  const graph = chainOf([{ type: 'update_contact', config: { contact: data.to, first_name: 'Seen' } }], trigger)
  const [live, tried] = [await makeWorkflow(team, graph), await makeWorkflow({ api: trial }, graph)]
  const { body: contact } = await team.api.post('/v1/contacts', { email: data.to, firstName: 'Ada' })
  const email = { from, to: [data.to], subject: 'Hello', text: 'x' }
  await trial.post('/v1/emails', email)
  await settle()
  assert.deepEqual([(await live.executions()).length, (await tried.executions()).length], [0, 1])
  assert.equal((await tried.executions())[0].status, 'completed')
  assert.equal((await team.api.get(`/v1/contacts/${contact.id}`)).body.firstName, 'Ada')
})

test('a test execution changes no live contact and no live segment, and tells no address', async () => {
  const { team, trial } = await withTestKey()
  const { body: segment } = await team.api.post('/v1/segments', { name: 'All' })
  const { body: live } = await team.api.post('/v1/contacts', { email: data.to, firstName: 'Ada' })
  const { body: own } = await trial.post('/v1/contacts', { email: 'own@people.test', firstName: 'Own' })
  const workflow = await makeWorkflow(
    team,
    chainOf([
      { type: 'update_contact', config: { contact: '{{trigger.to}}', first_name: 'Changed' } },
      { type: 'add_segment', config: { contact: '{{trigger.to}}', segment_id: segment.id } },
    ]),
  )
  for (const to of [live.email, own.email]) {
    const { body } = await trial.post(workflow.executionsPath, { triggerData: { to } })
    await settle()
    const { nodes } = await detail(trial, `${workflow.executionsPath}/${body.id}`)
    assert.equal(nodes.at(-1).outputData.added, false)
  }
  const { body } = await trial.post(workflow.executionsPath, { triggerData: { to: live.id } })
  await settle()
  const { nodes } = await detail(trial, `${workflow.executionsPath}/${body.id}`)
  assert.deepEqual(nodes[1].outputData, { contactId: live.id, email: 'contact@people.test' })
  assert.equal((await team.api.get(`/v1/contacts/${live.id}`)).body.firstName, 'Ada')
  assert.equal((await team.api.get(`/v1/segments/${segment.id}`)).body.contactCount, 0)
  assert.equal((await trial.get(`/v1/contacts/${own.id}`)).body.firstName, 'Changed')
})

test('what a test execution asks of our own API is of test mode, also with a live key', async () => {
  const { team, trial, keys, from } = await withTestKey()
  const peer = await startPeer()
  const called = await makeWorkflow(team, chainOf([call(peer.url)], { type: 'webhook_received' }))
  const workflow = await makeWorkflow(team, chainOf([call(peer.url)]))
  await trial.post(workflow.executionsPath)
  await settle()
  const execution = { 'posthorn-execution': peer.asked[0]!.headers['posthorn-execution'] as string }
  const email = { from, to: [data.to], subject: 'Hello', text: 'x' }
  const sent = await posthorn.as(keys.live).post('/v1/emails', email, execution)
  assert.deepEqual([sent.status, sent.body.mode], [200, 'test'], sent.text)
  const url = new URL(called.body.triggerUrl).pathname
  const { body } = await posthorn.anyone.post(url, {}, execution)
  await settle()
  assert.deepEqual(modesOf(peer), ['test', 'test'])
  await detail(trial, `${called.executionsPath}/${body.executionId}`)
  assert.equal((await called.executions()).length, 0)
})

test('a chat hears nothing of a test execution', async () => {
  const { team, trial } = await withTestKey()
  const peer = await startPeer()
  const config = { webhook_url: `${peer.url}/hook`, message: 'Hello' }
  const workflow = await makeWorkflow(team, chainOf([{ type: 'slack_notification', config }]))
  const { body } = await trial.post(workflow.executionsPath)
  await settle()
  await detail(trial, `${workflow.executionsPath}/${body.id}`)
  assert.equal(peer.asked.length, 0)
  await workflow.start()
  await settle()
  assert.equal(peer.asked.length, 1)
})

test('a workflow of a test key names credentials of test keys only', async () => {
  const { team, trial } = await withTestKey()
  const peer = await startPeer()
  const fields = { name: 'Shop', type: 'bearer', secret: { token: 'live-token-of-the-shop' } }
  const { body: live } = await team.api.post('/v1/credentials', fields)
  const { body: own } = await trial.post('/v1/credentials', { ...fields, secret: { token: 'test-token-of-the-shop' } })
  const config = (id: string) => ({ url: peer.url, method: 'GET', auth_type: 'bearer', credential_id: id })
  const graph = (id: string) => chainOf([{ type: 'http_request', config: config(id) }])
  await assert.rejects(makeWorkflow({ api: trial }, graph(live.id)), /is not a credential of this team/)
  for (const workflow of [
    await makeWorkflow(team, graph(live.id)),
    await makeWorkflow({ api: trial }, graph(own.id)),
  ]) {
    const { body } = await trial.post(workflow.executionsPath)
    await settle()
    await detail(trial, `${workflow.executionsPath}/${body.id}`)
  }
  assert.deepEqual(
    peer.asked.map(({ headers }) => headers.authorization),
    ['Bearer live-token-of-the-shop', 'Bearer test-token-of-the-shop'],
  )
})

test('a test key checks a live workflow as a live key does, and no workflow of another team', async () => {
  const { team, trial } = await withTestKey()
  const { body: segment } = await team.api.post('/v1/segments', { name: 'All' })
  const step = { type: 'add_segment', config: { contact: '{{trigger.to}}', segment_id: segment.id } }
  const workflow = await makeWorkflow(team, chainOf([step]))
  await workflow.switch()
  await team.api.delete(`/v1/segments/${segment.id}`)
  const [live, tried] = [await team.api.post(`${workflow.path}/check`), await trial.post(`${workflow.path}/check`)]
  assert.deepEqual([tried.status, tried.body], [200, live.body], tried.text)
  const stranger = await withTestKey()
  assert.equal((await stranger.trial.post(`${workflow.path}/check`)).status, 404)
})

test('a test execution fails at a live broadcast with the reason, leaves the draft, and sends a test draft', async () => {
  const { team, trial, from } = await withTestKey()
  const { body: segment } = await team.api.post('/v1/segments', { name: 'All' })
  const draft = { name: 'News', from, segmentId: segment.id, subject: 'News', text: 'New.' }
  const { body: live } = await team.api.post('/v1/broadcasts', draft)
  const { body: ownSegment } = await trial.post('/v1/segments', { name: 'All' })
  const { body: own } = await trial.post('/v1/broadcasts', { ...draft, segmentId: ownSegment.id })
  const workflow = await makeWorkflow(
    team,
    chainOf([{ type: 'send_broadcast', config: { broadcast_id: '{{trigger.id}}' } }]),
  )
  const run = async (id: string) => {
    const { body } = await trial.post(workflow.executionsPath, { triggerData: { id } })
    await settle()
    return trial.get(`${workflow.executionsPath}/${body.id}`)
  }
  const refused = await run(live.id)
  assert.equal(refused.body.status, 'failed')
  assert.match(refused.text, /names a live broadcast, which an execution of test mode does not send/)
  assert.equal((await team.api.get(`/v1/broadcasts/${live.id}`)).body.status, 'draft')
  assert.equal((await run(own.id)).body.status, 'completed')
  assert.equal((await trial.get(`/v1/broadcasts/${own.id}`)).body.status, 'sent')
})
