import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { startPeer } from '../fixtures/peer.ts'
import { activateChain, chainOf, errorOf, nodeOf, outputOf, runChain, runWorkflow } from '../fixtures/workflow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()
const call = (config: object, triggerData?: object) =>
  runChain(posthorn, team, [{ type: 'http_request', config }], triggerData)

/** Runs a node whose config only an older release accepted. */
async function callUnchecked(config: object) {
  const harmless = { url: 'https://example.com', method: 'GET' }
  const active = await activateChain(team, [{ type: 'http_request', config: harmless }])
  await posthorn.app.db
    .updateTable('workflow_graphs')
    .set({ nodes: JSON.stringify(chainOf([{ type: 'http_request', config }]).nodes) } as never)
    .where('workflow_id', '=', active.body.id)
    .execute()
  return runWorkflow(posthorn, team, active.body.id)
}

const secret = 'Secret-Token-4711'
async function credential(type: string, parts: object): Promise<string> {
  return (await team.api.post('/v1/credentials', { name: type, type, secret: parts })).body.id
}

test('a bearer, a basic and a header credential replace a header of the same name, whatever its case', async () => {
  const peer = await startPeer()
  const headers = { authorization: 'Bearer mine', 'x-API-key': 'mine', 'X-Other': 'stays' }
  const request = { url: peer.url, method: 'GET', headers }
  await call({ ...request, auth_type: 'bearer', credential_id: await credential('bearer', { token: secret }) })
  const basic = await credential('basic', { username: 'ada', password: `${secret} ☃` })
  await call({ ...request, auth_type: 'basic', credential_id: basic })
  const header = await credential('header', { value: secret })
  await call({ ...request, auth_type: 'header', auth_header_name: 'X-Api-Key', credential_id: header })
  await call({ ...request, auth_type: 'none', credential_id: header })
  const encoded = Buffer.from(`ada:${secret} ☃`).toString('base64')
  assert.deepEqual(
    peer.asked.map(({ headers }) => [headers.authorization, headers['x-api-key'], headers['x-other']]),
    [
      [`Bearer ${secret}`, 'mine', 'stays'],
      [`Basic ${encoded}`, 'mine', 'stays'],
      ['Bearer mine', secret, 'stays'],
      ['Bearer mine', 'mine', 'stays'],
    ],
  )
  const sent = peer.asked.map(({ rawHeaders }) =>
    rawHeaders.filter((name) => /^(authorization|x-api-key)$/i.test(name)),
  )
  assert.deepEqual(pluck(sent, 'length'), [2, 2, 2, 2])
})

test('a credential is not kept, also if the answer repeats it', async () => {
  const peer = await startPeer()
  peer.answer = (response, { headers }) => {
    response.setHeader('x-echo', String(headers.authorization ?? headers['x-key']))
    response.end(JSON.stringify({ headers, encoded: encodeURIComponent(String(headers['x-key'])) }))
  }
  const request = { url: peer.url, method: 'GET' }
  const value = `${secret} "quoted"`
  const executions = [
    await call({ ...request, auth_type: 'bearer', credential_id: await credential('bearer', { token: secret }) }),
    await call({
      ...request,
      auth_type: 'basic',
      credential_id: await credential('basic', { username: 'ada', password: secret }),
    }),
    await call({
      ...request,
      auth_type: 'header',
      auth_header_name: 'X-Key',
      credential_id: await credential('header', { value }),
    }),
  ]
  const [bearer, basic, header] = executions.map((execution) => outputOf(execution))
  assert.equal(bearer.headers['x-echo'], 'Bearer [redacted]')
  assert.equal(basic.headers['x-echo'], 'Basic [redacted]')
  assert.equal(header.headers['x-echo'], '[redacted]')
  assert.match(header.body, /"x-key":"\[redacted\]".*"encoded":"\[redacted\]"/)
  const kept = JSON.stringify(executions)
  assert(!kept.includes(secret) && !kept.includes(Buffer.from(`ada:${secret}`).toString('base64')))
})

test('a deleted credential is looked up again at each attempt, and then fails the node', async () => {
  const peer = await startPeer()
  const id = await credential('bearer', { token: secret })
  const config = { url: peer.url, method: 'GET', auth_type: 'bearer', credential_id: id }
  const active = await activateChain(team, [{ type: 'http_request', config }])
  assert.equal((await team.api.delete(`/v1/credentials/${id}`)).status, 200)
  const began = posthorn.clock.now().getTime()
  const error = errorOf(await runWorkflow(posthorn, team, active.body.id))
  assert.match(error, /credential_id: .* is not a credential of this team/)
  assert(posthorn.clock.now().getTime() - began >= 31_000, 'it was tried again after 1, 5 and 25 s')
  assert.equal(peer.asked.length, 0)
})

test('a credential of another team is as unknown as one that does not exist', async () => {
  const stranger = await posthorn.team()
  const id = await credential('bearer', { token: secret })
  const config = { url: 'https://example.com', method: 'GET', auth_type: 'bearer', credential_id: id }
  const answer = await activateChain(stranger, [{ type: 'http_request', config }])
  assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'nodes[1].config.credential_id'])
})

test('a credential of another type than the config says is refused at activation', async () => {
  const id = await credential('basic', { username: 'ada', password: secret })
  const config = { url: 'https://example.com', method: 'GET', auth_type: 'bearer', credential_id: id }
  const answer = await activateChain(team, [{ type: 'http_request', config }])
  assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'nodes[1].config.credential_id'])
  assert.match(answer.body.message, /is a credential of the type basic, and must be of the type bearer/)
})

test('a credential of another type than the config says is a final error, and nothing is sent', async () => {
  const peer = await startPeer()
  const id = await credential('basic', { username: 'ada', password: secret })
  const config = { url: peer.url, method: 'GET', auth_type: 'bearer', credential_id: id }
  const before = posthorn.clock.now()
  assert.match(errorOf(await callUnchecked(config)), /credential_id: is a basic credential, and auth_type is bearer/)
  assert.deepEqual([posthorn.clock.now(), peer.asked.length], [before, 0])
})

test('the history shows the request as the input, without the credential', async () => {
  const peer = await startPeer()
  const id = await credential('bearer', { token: secret })
  const config = { url: `${peer.url}/{{trigger.id}}`, method: 'GET', auth_type: 'bearer', credential_id: id }
  const execution = await call(config, { id: 'x' })
  assert.deepEqual(nodeOf(execution).inputData, { ...config, url: `${peer.url}/x` })
})
