import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { routes } from '../app.ts'
import { startMcp } from './fixtures/client.ts'
import { tools } from './tools.ts'

const logged: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
const { posthorn, url, connect } = await startMcp({}, { log })
const team = await posthorn.team()
const full = await connect(team.key)
const email = { from: `Shop <hello@${team.domain}>`, to: ['ada@example.com'], subject: 'Hello', text: 'It works.' }

const usual = tools.filter(({ toolset }) => toolset === 'default').map(({ name }) => name)
const listBytesMax = 32_000

test('the tools that are listed by default take at most 32 kB', async (t) => {
  const { tools: listed } = await full.client.listTools()
  const bytes = Buffer.byteLength(JSON.stringify({ tools: listed }))
  t.diagnostic(`${listed.length} tools, ${bytes} bytes`)
  assert.deepEqual([listed.map(({ name }) => name), listed.length], [usual, 24])
  assert.ok(bytes <= listBytesMax, String(bytes))
})

test('each tool has a title, four hints that fit its route, and an input that takes no other field', async () => {
  const { client } = await connect(team.key, '?toolsets=all')
  const { tools: listed } = await client.listTools()
  assert.equal(listed.length, tools.length)
  for (const { name, title, description, inputSchema, annotations } of listed) {
    const { operationId, recipients } = tools.find((tool) => tool.name === name)!
    const route = routes.find((one) => one.operationId === operationId)!
    assert.ok(title && description, name)
    assert.equal(inputSchema.additionalProperties, false, name)
    assert.equal('idempotencyKey' in inputSchema.properties!, Boolean(route.idempotent), name)
    const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
    assert.ok(
      hints.every((hint) => typeof annotations![hint] === 'boolean'),
      name,
    )
    assert.equal(annotations!.readOnlyHint, route.method === 'GET', name)
    if (annotations!.readOnlyHint) assert.equal(recipients, 'none', name)
  }
})

test('a number that a double does not hold keeps its digits through a tool', async () => {
  const properties = '{"n":12345678901234567890}'
  const params = `{"name":"create_contact","arguments":{"email":"digits@example.com","properties":${properties}}}`
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${team.key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
  })
  const text = await answer.text()
  assert.ok(text.includes(`"properties":${properties}`), text)
  assert.ok(text.includes(JSON.stringify(`"properties":${properties}`).slice(1, -1)), text)
})

test('an email that a tool sends is in the inbox, and is answered as structured content and as text', async () => {
  const sent = await full.call('send_email', { ...email, idempotencyKey: 'order-1' })
  assert.equal(sent.isError, false, sent.text)
  assert.deepEqual(JSON.parse(sent.text), sent.body)
  const again = await full.call('send_email', { ...email, idempotencyKey: 'order-1' })
  assert.equal(again.body.id, sent.body.id)
  const inbox = await full.call('list_inbox')
  assert.deepEqual(
    inbox.body.data.map(({ emailId }: { emailId: string }) => emailId),
    [sent.body.id],
  )
  const events = await full.call('list_email_events', { id: sent.body.id })
  assert.deepEqual(events.body.data.map(({ type }: { type: string }) => type).sort(), ['delivered', 'sent'])
})

test('a refusal is an error of the tool with the name, the fields and the words of the API', async () => {
  for (const input of [
    { ...email, from: 'a@other.test' },
    { ...email, to: ['nonsense'], cc: 'a@b.co' },
    { ...email, colour: 1 },
  ]) {
    const { body: said } = await team.api.post('/v1/emails', input)
    const { isError, body } = await full.call('send_email', input)
    const { requestId, ...rest } = body
    assert.deepEqual([isError, rest], [true, said])
    assert.match(requestId, /^[0-9a-f-]{36}$/)
  }
  const other = await full.call('send_email', { ...email, subject: 'Other', idempotencyKey: 'order-1' })
  assert.deepEqual([other.isError, other.body.status_code], [true, 409])
})

test('an unknown tool is -32602, and so is one of another toolset', async () => {
  for (const name of ['send_fax', 'list_api_keys', '__proto__', ''])
    await assert.rejects(full.call(name), { code: -32602 })
  const admin = await connect(team.key, '?toolsets=admin')
  assert.deepEqual(await admin.names(), [...usual, 'list_api_keys'])
  const { text } = await admin.call('list_api_keys')
  assert.ok(!text.includes(team.key))
})

test('null counts as no arguments', async () => {
  const params = { name: 'list_contacts', arguments: null }
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${team.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const { result } = (await answer.json()) as { result: { isError?: boolean } }
  assert.deepEqual([answer.status, result.isError ?? false], [200, false])
})

test('an id stays one segment of the path', async () => {
  for (const id of ['..', '.', '', '../../v1/contacts', 'x/../..', '%2e%2e', ['..'], null, {}]) {
    const { isError, body } = await full.call('add_contacts_to_segment', { id, contactIds: [] })
    assert.deepEqual([isError, body.status_code], [true, 400], JSON.stringify(id))
  }
})

test('a key is shown what it may call, and refused the rest', async () => {
  const sending = await connect((await team.newKey({ permission: 'sending_access' })).key, '?toolsets=all')
  const names = await sending.names()
  assert.ok(names.includes('send_email') && names.includes('send_sms') && names.includes('send_broadcast'))
  assert.deepEqual(
    names.filter((name) => /inbox|domain|contact|webhook|workflow|api_key/.test(name)),
    [],
  )
  const refused = await sending.call('list_contacts')
  assert.deepEqual([refused.isError, refused.body.name], [true, 'authorization_error'])
  const ofDomain = await connect((await team.newKey({ domainId: team.domainId })).key, '?toolsets=all')
  assert.ok(!(await ofDomain.names()).some((name) => /sms|whatsapp/.test(name)))
  const test = await connect((await team.newKey({ permission: 'full_access', mode: 'test' })).key, '?toolsets=all')
  assert.ok(!(await test.names()).includes('verify_domain'))
})

for (const [role, may, mayNot] of [
  ['viewer', 'list_contacts', 'send_email'],
  ['marketer', 'send_broadcast', 'send_email'],
  ['developer', 'send_email', 'send_broadcast'],
] as const) {
  test(`a signed-in ${role} is shown ${may} and not ${mayNot}`, async () => {
    const { names, call } = await connect((await team.member(role)).token)
    const shown = await names()
    assert.deepEqual([shown.includes(may), shown.includes(mayNot)], [true, false])
    assert.equal((await call(mayNot)).isError, true)
  })
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

async function post(headers: Record<string, string>, body: unknown = ping, query = ''): Promise<Response> {
  const sent = { 'content-type': 'application/json', authorization: `Bearer ${team.key}`, ...headers }
  return fetch(`${url}/mcp${query}`, { method: 'POST', headers: sent, body: JSON.stringify(body) })
}

test('a message is answered as JSON, and a notification with 202', async () => {
  const answer = await post({})
  assert.match(answer.headers.get('content-type')!, /^application\/json/)
  assert.equal(answer.headers.get('mcp-session-id'), null)
  assert.deepEqual(await answer.json(), { jsonrpc: '2.0', id: 1, result: {} })
  assert.equal((await post({}, { jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202)
})

test('other methods are 405, a bad key 401, a foreign origin 403, and what is no message 400', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status, headers } = await fetch(`${url}/mcp`, { method })
    assert.deepEqual([status, headers.get('allow')], [405, 'POST'])
  }
  for (const authorization of ['', 'Bearer nonsense', `Bearer ph_${'0'.repeat(40)}`]) {
    const { status, headers } = await post({ authorization })
    assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer'])
  }
  for (const origin of ['http://evil.test', 'null', `${url}.evil.test`, ''])
    assert.equal((await post({ origin })).status, 403, origin)
  assert.equal((await post({ origin: url })).status, 200)
  for (const body of [[ping, ping], 1, {}, { ...ping, jsonrpc: '1.0' }])
    assert.equal((await post({}, body)).status, 400, JSON.stringify(body))
})

test('a misspelt rule is refused, so that it opens nothing', async () => {
  const odd = ['read_only=1', 'read_only=', 'readonly=true', 'read_only=true&read_only=false', 'toolsets=every']
  for (const query of [...odd, 'allow_to=', 'allow_to=*', 'allow_to=ada@example.com,', 'allow_to=*@*', 'from=x'])
    assert.equal((await post({}, ping, `?${query}`)).status, 400, query)
})

test('no line of the log has a key', async () => {
  const before = logged.length
  posthorn.app.log.info('a line')
  assert.equal(logged.length, before + 1)
  const keys = /ph_(test_)?[0-9A-Za-z]{32,}|eyJ[\w-]+\./
  assert.deepEqual(
    logged.filter((line) => keys.test(line)),
    [],
  )
})
