import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import Type from 'typebox'
import { createTestApp } from '../../../test/app.ts'
import { serializers } from '../log/log.ts'
import { type Route, route } from './route.ts'
import { Nullable, NullableTimestamp, Strict, Timestamp } from './schema/schema.ts'
import { createServer } from './server.ts'

const logged: string[] = []
const log = pino({ level: 'trace', serializers }, { write: (line: string) => void logged.push(line) })
const posthorn = await createTestApp({}, { log })

const common = { access: 'public', tag: 'Test', summary: 'A test' } as const
let answer: () => unknown = () => ({})

const Item = Type.Object({ at: Timestamp, name: Nullable(Type.String()) })
const served: Route[] = [
  route('GET /throw', null, { ...common, response: Type.Object({}), handle: async () => answer() }),
  route('GET /shape', null, {
    ...common,
    response: Type.Object({
      at: Timestamp,
      maybeAt: NullableTimestamp,
      alsoMaybeAt: Nullable(Timestamp),
      name: Nullable(Type.String()),
      count: Nullable(Type.Integer()),
      list: Nullable(Type.Array(Type.String())),
      item: Nullable(Item),
      items: Type.Array(Item),
      free: Nullable(Type.Object({}, { additionalProperties: true })),
    }),
    handle: async () => answer(),
  }),
  route('POST /form', null, {
    ...common,
    takes: 'form',
    body: Strict({ a: Type.String() }),
    response: Type.Object({ a: Type.String() }),
    handle: async ({ body }) => body,
  }),
  route('POST /bytes', null, {
    ...common,
    takes: 'bytes',
    response: Type.Object({ hex: Type.String() }),
    handle: async ({ request }) => ({ hex: (request.body as Buffer).toString('hex') }),
  }),
  route('POST /optional', null, {
    ...common,
    bodyOptional: true,
    body: Strict({ a: Type.Optional(Type.String()) }),
    response: Type.Object({ a: Type.Optional(Type.String()) }),
    handle: async ({ body }) => body,
  }),
]
const window = { limit: 10, remaining: 9, resetAtSeconds: 60, allowed: true }
const server = await createServer({
  app: posthorn.app,
  routes: served,
  identify: async () => null,
  isPastLimit: () => false,
  refuseRole: () => undefined,
  refuseStaleLogin: () => undefined,
  noteChange: () => undefined,
  countRequest: async () => window,
})
after(() => server.close())

function post(url: string, payload: string | Buffer, type: string) {
  return server.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
}

const date = new Date('2030-01-31T09:30:00.000Z')
const full = {
  at: date,
  maybeAt: date,
  alsoMaybeAt: date,
  name: 'n',
  count: 5,
  list: ['a'],
  item: { at: date, name: null },
  items: [{ at: date, name: 'x' }],
  free: { any: { thing: [1] } },
}

test('an answer that is no page may load, run and send nothing in a browser', async () => {
  const { headers } = await server.inject({ url: '/shape' })
  assert.equal(
    headers['content-security-policy'],
    "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  )
  assert.deepEqual([headers['x-content-type-options'], headers['x-frame-options']], ['nosniff', 'DENY'])
})

test('dates and nulls are written as declared', async () => {
  answer = () => full
  assert.deepEqual((await server.inject('/shape')).json(), JSON.parse(JSON.stringify(full)))
  const empty = {
    at: date,
    maybeAt: null,
    alsoMaybeAt: null,
    name: null,
    count: null,
    list: null,
    item: null,
    items: [],
    free: null,
  }
  answer = () => empty
  assert.deepEqual((await server.inject('/shape')).json(), JSON.parse(JSON.stringify(empty)))
})

test('fields that are not declared are not sent', async () => {
  answer = () => ({ ...full, secret: 'x', item: { ...full.item, secret: 'x' }, items: [{ ...full.item, secret: 'x' }] })
  assert.doesNotMatch((await server.inject('/shape')).body, /secret/)
})

const row = 'Failing row contains (ada@people.test, hash, the whole message)'
const faults: Record<string, unknown> = {
  'an error': new Error('connect to 10.0.0.1 as root'),
  'an error that calls itself a client error': Object.assign(new Error('boom'), { statusCode: 302 }),
  'an error of the database': Object.assign(new Error('null value in column'), {
    code: '23502',
    detail: row,
    where: row,
    table: 'emails',
  }),
  'a text': 'boom',
  nothing: undefined,
  null: null,
}
for (const [what, fault] of Object.entries(faults)) {
  test(`${what} thrown is 500 with the request's id and no more; the log has no rows`, async () => {
    logged.length = 0
    answer = () => {
      throw fault
    }
    const { statusCode, headers, body } = await server.inject('/throw')
    assert.equal(statusCode, 500)
    assert.deepEqual(JSON.parse(body), {
      status_code: 500,
      name: 'internal_error',
      message: `Something went wrong here. Tell the operator the request id ${headers['x-request-id']}.`,
    })
    assert.equal(headers['x-ratelimit-limit'], '10')
    const line = logged.find((entry) => entry.includes('internal error'))
    assert.ok(line?.includes(String(headers['x-request-id'])))
    assert.ok(!logged.join().includes('Failing row'))
  })
}

test('an answer that does not fit its declaration is an internal error', async () => {
  answer = () => ({ ...full, at: undefined })
  assert.equal((await server.inject('/shape')).statusCode, 500)
})

test('a form is accepted only by routes that declare one, each field once', async () => {
  const type = 'application/x-www-form-urlencoded'
  assert.deepEqual((await post('/form', 'a=1%20x', type)).json(), { a: '1 x' })
  assert.equal((await post('/form', '{"a":"1"}', 'application/json')).statusCode, 415)
  for (const [body, message] of [
    ['a=1&a=2', /^a: is given more than once/],
    ['a=%00', /^a: must not hold the NUL/],
    ['a=1&b=2', /^b: is not a known field/],
    ['', /^body: is required/],
  ] as const) {
    const refused = await post('/form', body, type)
    assert.equal(refused.statusCode, 400, refused.body)
    assert.match(refused.json().message, message)
  }
})

test('bytes of any type arrive unchanged', async () => {
  const { hex } = (await post('/bytes', Buffer.from([0, 255, 216]), 'text/plain; charset=UTF-8')).json()
  assert.equal(hex, '00ffd8')
})

test('an optional body may be missing, and is checked if it is there', async () => {
  assert.equal((await server.inject({ method: 'POST', url: '/optional' })).body, '{}')
  assert.equal((await post('/optional', '{"a":"1"}', 'application/json')).body, '{"a":"1"}')
  assert.equal((await post('/optional', '{"b":"1"}', 'application/json')).statusCode, 400)
  assert.equal((await post('/optional', 'null', 'application/json')).statusCode, 400)
})
