import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { pluck, pluckRows } from '../../../test/pluck.ts'
import { startPeer } from '../fixtures/peer.ts'
import { activateChain, errorOf, outputOf, runChain, runWorkflow } from '../fixtures/workflow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()
const call = (config: object, triggerData?: object) =>
  runChain(posthorn, team, [{ type: 'http_request', config }], triggerData)

test('the output is the answer: its status, its headers in lower case, and its body as text', async () => {
  const peer = await startPeer()
  peer.answer = (response) => {
    response.writeHead(201, [
      ['X-Reply', 'one'],
      ['X-Reply', 'two'],
      ['Content-Type', 'application/json'],
    ])
    response.end('{"made": true}')
  }
  const output = outputOf(await call({ url: `${peer.url}/orders?id={{trigger.id}}`, method: 'GET' }, { id: 7 }))
  const { headers, ...rest } = output
  assert.deepEqual(rest, { status_code: 201, ok: true, body: '{"made": true}' })
  assert.deepEqual([headers['x-reply'], headers['content-type']], ['one, two', 'application/json'])
  assert.deepEqual([peer.asked[0]!.method, peer.asked[0]!.path], ['GET', '/orders?id=7'])
})

test('an answer of any status completes the node, and a redirect is not followed', async () => {
  const peer = await startPeer()
  for (const status of [302, 404, 500]) {
    peer.answer = (response) => void response.writeHead(status, { location: `${peer.url}/elsewhere` }).end()
    const { status_code, ok } = outputOf(await call({ url: peer.url, method: 'POST' }))
    assert.deepEqual([status_code, ok], [status, false])
  }
  assert.equal(peer.asked.length, 3)
})

test('each method is sent, and GET and DELETE are sent without the body', async () => {
  const peer = await startPeer()
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    outputOf(await call({ url: peer.url, method, body: 'hello' }))
  }
  assert.deepEqual(pluckRows(peer.asked, 'method', 'body'), [
    ['GET', ''],
    ['POST', 'hello'],
    ['PUT', 'hello'],
    ['PATCH', 'hello'],
    ['DELETE', ''],
  ])
  assert.equal(peer.asked[0]!.headers['content-type'], undefined)
})

test('all attempts of a node have the same Idempotency-Key, and the config may set another', async () => {
  const peer = await startPeer()
  const step = (id: string, headers = {}) => {
    return { id, type: 'http_request', config: { url: peer.url, method: 'POST', headers } }
  }
  let cuts = 1
  peer.answer = (response) => (cuts-- > 0 ? response.destroy() : response.end())
  const steps = [step('a'), step('b'), step('c', { 'idempotency-KEY': 'mine' })]
  const active = await activateChain(team, steps)
  for (const _ of [1, 2]) {
    const execution = await runWorkflow(posthorn, team, active.body.id)
    assert.equal(execution.status, 'completed')
  }
  const keys = peer.asked.map(({ headers }) => headers['idempotency-key'])
  assert.equal(keys.length, 7)
  assert.equal(keys[0], keys[1])
  assert.deepEqual([keys[3], keys[6]], ['mine', 'mine'])
  assert.equal(new Set([keys[0], keys[2], keys[4], keys[5]]).size, 4)
})

test('a peer that cannot be reached is tried again, and then the node fails', async () => {
  const peer = await startPeer()
  peer.answer = (response) => void response.destroy()
  assert.match(errorOf(await call({ url: peer.url, method: 'GET' })), /connection was cut/)
  assert.equal(peer.asked.length, 4)
})

test('an address that is not public is not called', async () => {
  for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data', 'http://[::1]/']) {
    assert.match(errorOf(await call({ url, method: 'GET' })), /is not a public address/, url)
  }
})

test('a body of 1 MiB is read and is too large for an output, and a larger one is a final error', async () => {
  const peer = await startPeer()
  peer.answer = (response) => void response.end('x'.repeat(1024 * 1024 + 1))
  assert.match(errorOf(await call({ url: peer.url, method: 'GET' })), /larger than 1 MiB/)
  peer.answer = (response) => void response.end('x'.repeat(1024 * 1024))
  assert.match(errorOf(await call({ url: peer.url, method: 'GET' })), /at most 262144 are kept/)
  assert.equal(peer.asked.length, 2)
})

test('a body of any bytes can be stored', async () => {
  const peer = await startPeer()
  peer.answer = (response) => void response.end(Buffer.from([0x61, 0, 0xff, 0xed, 0xa0, 0x80, 0x62]))
  const { body } = outputOf(await call({ url: peer.url, method: 'GET' }))
  assert.match(body, /^a\ufffd+b$/)
})

const fields = { name: 'For a header', type: 'header', secret: { value: 'Secret-4711' } }
const headerCredential = (await team.api.post('/v1/credentials', fields)).body.id

const faults: Record<string, [object, string]> = {
  'no URL': [{ method: 'GET' }, 'url'],
  'a relative URL': [{ url: '/orders', method: 'GET' }, 'url'],
  'another scheme': [{ url: 'ftp://example.com/', method: 'GET' }, 'url'],
  'another scheme before a placeholder': [{ url: 'file:///{{trigger.path}}', method: 'GET' }, 'url'],
  'a password in the URL': [{ url: 'https://ada:pass@example.com/', method: 'GET' }, 'url'],
  'no method': [{ url: 'https://example.com/' }, 'method'],
  'another method': [{ url: 'https://example.com/', method: 'TRACE' }, 'method'],
  'a method in lower case': [{ url: 'https://example.com/', method: 'get' }, 'method'],
  'an invalid header name': [{ url: 'https://example.com/', method: 'GET', headers: { 'a b': 'x' } }, 'headers.a b'],
  'a placeholder in the name of a header': [
    { url: 'https://example.com/', method: 'GET', headers: { '{{vars.x}}': 'x' } },
    'headers.{{vars.x}}',
  ],
  'a header of the connection': [
    { url: 'https://example.com/', method: 'GET', headers: { HOST: 'x' } },
    'headers.HOST',
  ],
  'a line break in a header': [
    { url: 'https://example.com/', method: 'GET', headers: { 'X-A': 'x\r\nX-B: y' } },
    'headers.X-A',
  ],
  'a header that is not a string': [
    { url: 'https://example.com/', method: 'GET', headers: { 'X-A': 1 } },
    'headers.X-A',
  ],
  'a body that is not a string': [{ url: 'https://example.com/', method: 'POST', body: { a: 1 } }, 'body'],
  'authentication without a credential': [
    { url: 'https://example.com/', method: 'GET', auth_type: 'bearer' },
    'credential_id',
  ],
  'an unknown credential': [
    { url: 'https://example.com/', method: 'GET', auth_type: 'bearer', credential_id: 'x' },
    'credential_id',
  ],
  'a header credential without a header': [
    { url: 'https://example.com/', method: 'GET', auth_type: 'header', credential_id: headerCredential },
    'auth_header_name',
  ],
  'a header credential in a header of the connection': [
    {
      url: 'https://example.com/',
      method: 'GET',
      auth_type: 'header',
      auth_header_name: 'Host',
      credential_id: headerCredential,
    },
    'auth_header_name',
  ],
  'an unknown field': [{ url: 'https://example.com/', method: 'GET', timeout: 5 }, 'timeout'],
}
for (const [what, [config, path]] of Object.entries(faults)) {
  test(`a config with ${what} is refused at activation`, async () => {
    const answer = await activateChain(team, [{ type: 'http_request', config }])
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(pluck(answer.body.errors, 'path'), [`nodes[1].config.${path}`])
  })
}

test('filled values are checked too, and the error shows what they became', async () => {
  const peer = await startPeer()
  const before = posthorn.clock.now()
  const scheme = await call({ url: '{{trigger.url}}', method: 'GET' }, { url: 'ftp://example.com/' })
  assert.match(
    errorOf(scheme),
    /url: must be an absolute http:\/\/ or https:\/\/ URL; it became "ftp:\/\/example.com\/"/,
  )
  const headers = { 'X-Name': '{{trigger.name}}' }
  const injected = await call({ url: peer.url, method: 'GET', headers }, { name: 'a\r\nX-Evil: 1' })
  assert.match(errorOf(injected), /headers.X-Name: must be one line .*; it became "a\\r\\nX-Evil: 1"/)
  assert.deepEqual([posthorn.clock.now(), peer.asked.length], [before, 0])
})

test('a port of another service is not called', async () => {
  for (const url of ['http://8.8.8.8:25/', 'http://8.8.8.8:6379/'])
    assert.match(errorOf(await call({ url, method: 'POST', body: 'x' })), /port \d+ is not open to URLs/, url)
})

test('a URL that becomes longer than 8 KiB fails the node at once, and nothing is sent', async () => {
  const peer = await startPeer()
  const before = posthorn.clock.now()
  const config = { url: `${peer.url}/{{trigger.id}}`, method: 'GET' }
  assert.match(errorOf(await call(config, { id: 'x'.repeat(8193) })), /^url: must be at most 8192 bytes long/)
  assert.deepEqual([posthorn.clock.now(), peer.asked.length], [before, 0])
  const step = { type: 'http_request', config: { url: `https://example.com/${'x'.repeat(8193)}`, method: 'GET' } }
  const answer = await activateChain(team, [step])
  assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'nodes[1].config.url'])
})

test('the error about a host without TLS is a sentence without internals of the library', async () => {
  const peer = await startPeer()
  const error = errorOf(await call({ url: peer.url.replace('http:', 'https:'), method: 'GET' }))
  assert.equal(error, 'No secure connection could be made: the host does not speak TLS on this port.')
})
