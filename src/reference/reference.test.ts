import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createTestApp } from '../../test/app.ts'
import { inlined } from '../../test/inlined.ts'
import { pluck } from '../../test/pluck.ts'
import { slowTest } from '../../test/slow.ts'
import { routes } from '../app.ts'

const posthorn = await createTestApp()
const { body: document } = await posthorn.anyone.get('/openapi.json')

type Content = {
  schema: { $ref?: string; examples?: unknown[] }
  example?: unknown
  examples?: Record<string, { value: unknown }>
}
type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; description?: string }[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<
    string,
    { description: string; headers?: Record<string, unknown>; content: Record<string, Content> }
  >
}
/** The operations, each with the security of the whole document unless it has its own. */
const paths: Record<string, Record<string, Operation>> = Object.fromEntries(
  Object.entries<Record<string, Partial<Operation>>>(inlined(document, document.paths)).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, complete(operation)])),
  ]),
)
function complete(operation: Partial<Operation>): Operation {
  return { security: document.security, parameters: [], ...operation } as Operation
}
const operations: [string, Operation][] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, Operation] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
)

const usualHeaders = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

test('every route is described, by a name of its own', () => {
  const served = routes
    .filter((route) => route.operationId)
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  assert.deepEqual(operations.map(([name]) => name).sort(), served.sort())
  assert.equal(new Set(operations.map(([, { operationId }]) => operationId)).size, operations.length)
})

for (const [name, operation] of operations) {
  test(`${name} is described completely`, () => {
    assert.match(operation.operationId, /^[a-z][A-Za-z0-9]+$/)
    assert.ok(operation.summary && operation.description && operation.tags.length === 1)
    const named = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
    assert.deepEqual(
      pluck(
        operation.parameters.filter((parameter) => parameter.in === 'path'),
        'name',
      ),
      named,
    )
    for (const [status, { description, content }] of Object.entries(operation.responses)) {
      assert.match(status, /^[2345]\d\d$/)
      assert.ok(description)
      assert.ok(Object.values(content).every(({ schema }) => schema))
    }
    // Every answer has these headers, and the response that every operation has describes them for all.
    const headers = Object.keys(operation.responses[500]!.headers!)
    for (const header of usualHeaders) assert.ok(headers.includes(header) && document.info.description.includes(header))
    const isPublic = operation.security.length === 0
    assert.equal('401' in operation.responses && !isPublic, !isPublic)
  })
}

test('sends take an Idempotency-Key and say which limits end them', () => {
  const send: Operation = paths['/v1/emails']!.post!
  assert.ok(send.parameters.some((parameter) => parameter.name === 'Idempotency-Key' && parameter.in === 'header'))
  for (const status of ['400', '401', '403', '409', '413', '415', '422', '429', '500', '502', '503'])
    assert.ok(send.responses[status], status)
})

test('routes that providers call say what they take and which header signs it', () => {
  const signatures: [string, string, string?][] = [
    ['/v1/whatsapp/webhooks/inbound', 'application/json', 'X-Signature'],
    ['/v1/webhooks/payments', 'application/json', 'Stripe-Signature'],
    ['/providers/meta/whatsapp', 'application/json', 'X-Hub-Signature-256'],
    ['/providers/twilio/sms', 'application/x-www-form-urlencoded', 'X-Twilio-Signature'],
    ['/providers/aws/sms', 'text/plain'],
    ['/providers/ses/events', 'text/plain'],
    ['/providers/capture/sms', 'application/json'],
  ]
  for (const [path, contentType, signature] of signatures) {
    const { requestBody, parameters }: Operation = paths[path]!.post!
    assert.ok(requestBody?.content[contentType]?.schema, path)
    const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
    assert.deepEqual(headers, signature ? [signature] : [], path)
  }
})

test('the requests that webhooks receive are described, with their headers', () => {
  const names = ['sent', 'delivered', 'delivery_delayed', 'bounced', 'complained', 'opened', 'clicked']
  assert.deepEqual(
    Object.keys(document.webhooks),
    names.map((name) => `email.${name}`),
  )
  for (const [name, { post }] of Object.entries<{ post: Operation }>(inlined(document, document.webhooks))) {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      post.requestBody!.content['application/json']!.schema,
    )
    const data = { email_id: '01890a5d-ac96-774b-bcce-b302099a8057', details: null }
    assert.deepEqual(post.security, [])
    assert.ok(validate({ type: name, created_at: '2026-01-31T09:30:00.000Z', data }))
    assert.deepEqual(
      pluck(post.parameters, 'name'),
      ['webhook', 'svix'].flatMap((prefix) => ['id', 'timestamp', 'signature'].map((name) => `${prefix}-${name}`)),
    )
  }
})

test('the Idempotency-Key of executions says that a known key counts whatever the body', () => {
  for (const path of ['/v1/workflows/{id}/executions', '/v1/workflows/triggers/{publicKey}']) {
    const { parameters }: Operation = paths[path]!.post!
    const key = parameters.find(({ name }) => name === 'Idempotency-Key')
    assert.match(key!.description!, /whatever the body/)
  }
})

slowTest('every schema is valid, and the examples of requests and answers match it', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const known = new Map<string, ReturnType<typeof ajv.compile>>()
  const compile = (schema: object) => {
    const text = JSON.stringify(schema)
    return known.get(text) ?? known.set(text, ajv.compile(schema)).get(text)!
  }
  for (const [name, { requestBody, responses }] of operations) {
    const contents = [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}))
    for (const { schema, example, examples = {} } of contents) {
      const validate = compile(schema)
      const listed = Object.values(examples).map(({ value }) => value)
      const shown = [...(schema.examples ?? []), ...(example === undefined ? [] : [example]), ...listed]
      for (const value of shown) assert.ok(validate(value), `${name}: ${JSON.stringify(validate.errors)}`)
    }
  }
})

test('every JSON body and answer is a component with an example, and no name is made from the path', () => {
  for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
    for (const { operationId, requestBody, responses } of Object.values(methods)) {
      assert.doesNotMatch(operationId, /^(get|post|patch|delete)(V1|.*By[A-Z])/)
      const success = Object.entries(inlined(document, responses)).filter(([status]) => status < '300')
      const bodies = [requestBody, ...success.map(([, answer]) => answer)].map(
        (part) => part?.content['application/json'],
      )
      for (const body of bodies) if (body) assert.ok('example' in body, `${operationId} ${path}`)
      const schema = requestBody?.content['application/json']?.schema
      if (schema && operationId !== 'triggerWorkflow')
        assert.match(String(schema.$ref), /^#\/components\/schemas\//, path)
    }
  }
})

test('each operation says which key may call it, and tags and parameters are described', () => {
  for (const [name, operation] of operations) {
    const permission = String((operation as Record<string, unknown>)['x-permission'])
    assert.match(permission, /^(public|user|sending_access|full_access)$/, name)
    for (const parameter of operation.parameters) assert.ok(parameter.description, `${name}: ${parameter.name}`)
  }
  for (const { name, description } of document.tags) assert.ok(description, name)
})

test('the server of the document is the one that answered', async () => {
  assert.equal(document.servers[0].url, 'http://localhost:3000')
  const elsewhere = await createTestApp({ PUBLIC_URL: '' })
  const answer = await elsewhere.anyone.get('/openapi.json', { host: 'localhost:4711' })
  assert.equal(answer.body.servers[0].url, 'http://localhost:4711')
})

test('the page loads nothing from other servers, and its policy forbids it', async () => {
  const { status, text, headers } = await posthorn.anyone.get('/docs')
  assert.equal(status, 200)
  assert.match(headers['content-type']!, /^text\/html/)
  assert.doesNotMatch(text, /https?:\/\//)
  const policy = headers['content-security-policy']!
  assert.match(policy, /^sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'self';/)
  assert.match(policy, /connect-src 'self'/)
  assert.doesNotMatch(policy, /https?:|\*/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['referrer-policy'], 'no-referrer')
})

test("the page's script comes from this server, compressed for clients that accept it", async () => {
  const plain = await posthorn.anyone.get('/docs/reference.js')
  assert.match(plain.headers['content-type']!, /^text\/javascript/)
  assert.ok(plain.text.endsWith("clientKey: 'curl' },\n})\n"))
  const { headers, rawPayload } = await posthorn.server.inject({
    url: '/docs/reference.js',
    headers: { 'accept-encoding': 'gzip, br' },
  })
  assert.equal(headers['content-encoding'], 'gzip')
  assert.ok(rawPayload.length < plain.text.length / 3)
})

for (const path of ['/openapi.json', '/docs', '/docs/reference.js']) {
  test(`${path} is sent compressed, may be cached, and is not sent again to a client that has it`, async () => {
    const ask = (headers: Record<string, string>) => posthorn.server.inject({ url: path, headers })
    const plain = await ask({})
    for (const refused of ['gzip;q=0', 'br', 'identity', 'gzip;q=0.000, deflate'])
      assert.equal((await ask({ 'accept-encoding': refused })).headers['content-encoding'], undefined)
    const gzipped = await ask({ 'accept-encoding': 'br;q=0.9, gzip;q=0.8' })
    assert.equal(gzipped.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(gzipped.rawPayload).toString(), plain.body)
    assert.notEqual(gzipped.headers.etag, plain.headers.etag)
    for (const { headers } of [plain, gzipped]) {
      assert.equal(headers.vary, 'Accept-Encoding')
      assert.match(String(headers['cache-control']), /^public, max-age=\d+$/)
      const encoding: Record<string, string> = headers['content-encoding'] ? { 'accept-encoding': 'gzip' } : {}
      for (const known of [headers.etag, `"other", W/${headers.etag}`, '*']) {
        const again = await ask({ ...encoding, 'if-none-match': String(known) })
        assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', headers.etag])
      }
      assert.equal((await ask({ ...encoding, 'if-none-match': '"other"' })).statusCode, 200)
    }
  })
}
