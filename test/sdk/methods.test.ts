import assert from 'node:assert/strict'
import { test } from 'node:test'
import { programRoutes } from '../../scripts/routes/sdk.ts'
import { operations } from '../../sdk/src/api.ts'
import { Posthorn } from '../../sdk/src/index.ts'
import { routes } from '../../src/app.ts'
import { methodsOf } from './calls.ts'

const requested: string[] = []
const posthorn = new Posthorn('ph_test', {
  fetch: async (url, init) => {
    requested.push(`${init!.method} ${new URL(String(url)).pathname}`)
    return Response.json({ data: [], cursor: null, hasMore: false })
  },
})

test('each operation that a key may call has a method, and each method an operation', async () => {
  for (const [name, method] of methodsOf(posthorn))
    await (name === 'emails.sendBatch' ? method([]) : method('x', 'x', 'x', {}))
  const paths = Object.values(operations).map((row) => row.split(' ').slice(0, 2).join(' ').replaceAll(/:\w+/g, 'x'))
  assert.deepEqual([...new Set(requested)].sort(), [...new Set(paths)].sort())
  assert.deepEqual(
    Object.keys(operations).sort(),
    programRoutes(routes)
      .map(({ operationId }) => operationId)
      .sort(),
  )
})

test('an id that is empty or missing is refused before anything is sent, by the answer', async () => {
  const before = requested.length
  await assert.rejects(posthorn.inbox.delete(''), /deleteInboxMessage: id is empty, not an id/)
  await assert.rejects(posthorn.emails.get(undefined as unknown as string), /getEmail: id is undefined, not an id/)
  const { error } = await posthorn.emails.get('').result()
  assert.deepEqual([error!.name, error!.message], ['not_made', 'getEmail: id is empty, not an id.'])
  assert.ok(error!.cause instanceof TypeError)
  const listed = await posthorn.webhooks.deliveries.list('').result()
  assert.match(listed.error!.message, /id is empty/)
  assert.equal(requested.length, before)
})

test('an id stays one segment of the path', async () => {
  await posthorn.emails.get('../contacts?limit=1')
  assert.equal(requested.at(-1), 'GET /v1/emails/..%2Fcontacts%3Flimit%3D1')
  const before = requested.length
  const { error } = await posthorn.segments.removeContact('..', 'x').result()
  assert.equal(error!.message, 'removeContactFromSegment: id is .., not an id.')
  await assert.rejects(posthorn.emails.get('.'), /getEmail: id is ., not an id/)
  assert.equal(requested.length, before)
})

test('a GET that is given a body is refused before anything is sent', async () => {
  const before = requested.length
  await assert.rejects(posthorn.request('GET', '/v1/emails', { body: {} }), /^TypeError: A GET has no body/)
  assert.equal(requested.length, before)
})

test('a client without a key says how to give one, and shows none when it is printed', async () => {
  assert.throws(() => new Posthorn(''), /POSTHORN_API_KEY/)
  const { inspect } = await import('node:util')
  assert.doesNotMatch(inspect(posthorn, { depth: 9, showHidden: true }) + JSON.stringify(posthorn), /ph_test/)
})
