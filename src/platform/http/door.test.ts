import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'

const posthorn = await createTestApp()
const team = await posthorn.team()
const json = { 'content-type': 'application/json' }

function post(payload: string | Buffer | undefined, headers: Record<string, string> = json, url = '/v1/templates') {
  return posthorn.server.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${team.key}`, ...headers },
    ...(payload !== undefined && { payload }),
  })
}

const hostileBodies: Record<string, [string | Buffer, RegExp]> = {
  'JSON that is broken': ['{"name":', /^body: is not valid JSON/],
  '200,000 brackets': ['['.repeat(200_000), /^body: is nested deeper/],
  '200,000 braces inside a property': [`{"name":${'{"a":'.repeat(200_000)}`, /^body: is nested deeper/],
  'a NUL': ['{"name":"a\\u0000b"}', /^name: must not hold the NUL/],
  'a NUL in a field name': ['{"na\\u0000me":"b"}', /^name: must not hold the NUL/],
  'a lone surrogate': ['{"name":"\\ud800"}', /^name: must not hold a lone surrogate/],
  'a lone surrogate deep inside': [
    '{"name":[{"x":["\\udc00"]}]}',
    /^name\[0\]\.x\[0\]: must not hold a lone surrogate/,
  ],
  __proto__: ['{"__proto__":{"admin":true}}', /^__proto__: is not a name/],
  'bytes that are not UTF-8': [Buffer.from('{"name":"\xff\xfe"}', 'latin1'), /^body: is not UTF-8/],
  'a list': ['[]', /^body: /],
  null: ['null', /^body: /],
  nothing: ['', /^body: is required/],
  'an unknown field': ['{"name":"x","nmae":"y"}', /^nmae: is not a known field/],
  'brackets in a string, and a type that is wrong': [
    `{"name":${JSON.stringify(['['.repeat(100)])}}`,
    /^name: must be a string; it was a list/,
  ],
}

for (const [what, [body, message]] of Object.entries(hostileBodies)) {
  test(`a body with ${what} is 400 and says where`, async () => {
    const answer = await post(body)
    assert.equal(answer.statusCode, 400, answer.body)
    assert.equal(answer.json().name, 'validation_error')
    assert.match(answer.json().message, message)
  })
}

test('brackets and escapes inside strings are text', async () => {
  const name = '[[[{{{"\\\\"}}}]]]'.repeat(4)
  const answer = await post(JSON.stringify({ name }))
  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.json().name, name)
})

test('a byte order mark before the JSON is ignored', async () => {
  assert.equal((await post('\ufeff{"name":"x"}')).statusCode, 200)
})

test('every fault of a request is named', async () => {
  const { errors } = (await post('{"name":5,"html":7,"nmae":1}')).json()
  assert.deepEqual(errors.map((fault: { path: string }) => fault.path).sort(), ['html', 'name', 'nmae'])
})

test('a hundred thousand faults are refused without listing them', async () => {
  const body = JSON.stringify({ from: 'a@b.co', to: Array.from({ length: 100_000 }, () => 5), subject: 'x' })
  const answer = await post(body, json, '/v1/emails')
  assert.equal(answer.statusCode, 400)
  assert.ok(answer.json().errors.length <= 50)
})

const otherTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'nonsense',
  '',
]
for (const type of otherTypes) {
  test(`a body of type "${type}" is 415`, async () => {
    const answer = await post('{"name":"x"}', type === '' ? {} : { 'content-type': type })
    assert.equal(answer.statusCode, 415, answer.body)
    assert.equal(answer.json().name, 'unsupported_media_type')
  })
}

test('JSON is recognised by its type in any case and with a charset', async () => {
  for (const type of ['Application/JSON', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"']) {
    assert.equal((await post('{"name":"x"}', { 'content-type': type })).statusCode, 200, type)
  }
})

test('a compressed body is 415', async () => {
  assert.equal((await post('{"name":"x"}', { ...json, 'content-encoding': 'gzip' })).statusCode, 415)
})

test('an endpoint without a body accepts an empty one and refuses fields', async () => {
  const verify = `/v1/domains/${team.domainId}/verify`
  assert.equal((await post(undefined, {}, verify)).statusCode, 200)
  assert.equal((await post('', json, verify)).statusCode, 200)
  assert.equal((await post('{}', json, verify)).statusCode, 200)
  const refused = await post('{"force":true}', json, verify)
  assert.equal(refused.statusCode, 400)
  assert.match(refused.json().message, /^force: /)
})

const hostileUrls: Record<string, [string, number]> = {
  'an unknown query field': ['/v1/emails?limt=5', 400],
  'a query field given twice': ['/v1/emails?limit=5&limit=6', 400],
  'a query field that is empty': ['/v1/emails?limit=', 400],
  'a limit of 0': ['/v1/emails?limit=0', 400],
  'a limit past 100': ['/v1/emails?limit=101', 400],
  'a limit in hexadecimal digits': ['/v1/emails?limit=0x10', 400],
  'a limit with an exponent': ['/v1/emails?limit=1e1', 400],
  'a limit that is a fraction': ['/v1/emails?limit=1.5', 400],
  'a NUL in the query': ['/v1/emails?search=%00', 400],
  'a NUL in the name of a query field': ['/v1/emails?%00=1', 400],
  'a cursor nobody issued': ['/v1/emails?cursor=nonsense', 400],
  '__proto__ in the query': ['/v1/emails?__proto__=1', 400],
  'an id that is no UUID': ['/v1/emails/42', 400],
  'a NUL for an id': ['/v1/emails/%00', 400],
  'an unknown path': ['/v1/nowhere', 404],
  'an id that is empty': ['/v1/emails/', 400],
  'a path with a slash at its end': ['/v1/rate-limits/', 404],
  'a path up and away': ['/../../etc/passwd', 404],
}
for (const [what, [url, status]] of Object.entries(hostileUrls)) {
  test(`${what} is ${status}`, async () => {
    const answer = await team.api.get(url)
    assert.equal(answer.status, status, answer.text)
    assert.equal(answer.body.status_code, status)
    assert.ok(answer.headers['x-request-id'])
    assert.equal(answer.headers['x-ratelimit-limit'], '10000')
  })
}

test('a path that is cut off within a character is 400, with a page for browsers', async () => {
  for (const path of ['/app/emails/%E0%A4%A', '/v1/emails/%FF']) {
    const asked = await posthorn.server.inject({ url: path, headers: { accept: 'text/html,*/*;q=0.8' } })
    assert.deepEqual([asked.statusCode, asked.headers['content-type']], [400, 'text/html; charset=utf-8'])
    assert.match(asked.body, /<h1>This address is not valid<\/h1>/)
    assert.match(String(asked.headers['content-security-policy']), /default-src 'none'/)
    const called = await team.api.get(path)
    assert.deepEqual([called.status, called.body.name], [400, 'validation_error'])
  }
})

test('a malformed escape in the query is 400', async () => {
  assert.equal((await team.api.get('/v1/emails?search=%zz%ED%A0%80')).status, 400)
})

test('a path with other methods is 405 and says which it has, before its body is looked at', async () => {
  const answer = await posthorn.server.inject({
    method: 'PUT',
    url: '/v1/emails',
    payload: 'nonsense',
    headers: { 'content-type': 'text/plain' },
  })
  assert.equal(answer.statusCode, 405)
  assert.equal(answer.headers.allow, 'POST, GET, HEAD')
  assert.equal(answer.json().name, 'method_not_allowed')
})

test('a page without an origin, such as /docs, may call the API with a key, and nothing about accounts', async () => {
  const headers = { origin: 'null', 'access-control-request-method': 'POST' }
  const allowed = (answer: { headers: Record<string, unknown> }) => answer.headers['access-control-allow-origin']
  const preflight = await posthorn.server.inject({ method: 'OPTIONS', url: '/v1/emails', headers })
  assert.equal(allowed(preflight), 'null')
  assert.equal(preflight.headers['access-control-allow-methods'], 'POST, GET, HEAD')
  assert.match(String(preflight.headers['access-control-allow-headers']), /Authorization/)
  const refused = await posthorn.server.inject({ url: '/v1/emails', headers })
  assert.deepEqual([refused.statusCode, allowed(refused)], [401, 'null'])
  assert.equal(refused.headers['access-control-allow-credentials'], undefined)
  for (const url of ['/auth/me', '/metrics', '/health', '/v1', '/app/']) {
    assert.equal(allowed(await posthorn.server.inject({ url, headers })), undefined, url)
  }
})

test('OPTIONS names the methods, and no other origin is allowed', async () => {
  const headers = {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  }
  const preflight = await posthorn.server.inject({ method: 'OPTIONS', url: '/v1/emails', headers })
  assert.equal(preflight.statusCode, 204)
  const answer = await posthorn.server.inject({
    method: 'GET',
    url: '/v1/emails',
    headers: { ...headers, authorization: `Bearer ${team.key}` },
  })
  for (const { headers } of [preflight, answer]) {
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('access-control-')),
      [],
    )
  }
})

test('a 401 says how to authenticate', async () => {
  const answer = await posthorn.anyone.get('/v1/emails')
  assert.equal(answer.status, 401)
  assert.equal(answer.headers['www-authenticate'], 'Bearer')
})

test('public endpoints ignore a bad key', async () => {
  assert.equal((await posthorn.as('ph_nonsense').get('/health')).status, 200)
})

test('a request id that the caller chose is not used', async () => {
  const answer = await posthorn.anyone.get('/health', { 'x-request-id': 'chosen', 'request-id': 'chosen' })
  assert.notEqual(answer.headers['x-request-id'], 'chosen')
})

test('a process that shuts down refuses requests with 503 and still answers probes', async () => {
  const other = await createTestApp()
  other.drain()
  const refused = await other.anyone.get('/v1/emails')
  assert.equal(refused.status, 503)
  assert.equal(refused.body.name, 'unavailable')
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  assert.equal(refused.headers.connection, 'close')
  assert.equal((await other.anyone.get('/health')).status, 200)
  assert.equal((await other.anyone.get('/ready')).status, 503)
})
