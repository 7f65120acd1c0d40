import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import { inlined } from '../../test/inlined.ts'
import { routes } from '../app.ts'
import { statusOf } from '../platform/http/errors.ts'
import { ownNamesOf, refusalsOf } from './refusals.ts'

const posthorn = await createTestApp()
const { body: document } = await posthorn.anyone.get('/openapi.json')

type Example = { value: { status_code: number; name: string } }
type Response = { content: Record<string, { examples?: Record<string, Example> }> }

for (const route of routes.filter(({ operationId }) => operationId))
  test(`${route.operationId} tells each status that it refuses with, with each name, and no other`, () => {
    const { responses } = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')][route.method.toLowerCase()]
    const refusals = Object.entries<Response>(inlined(document, responses)).filter(([status]) => status >= '400')
    const told = refusals.flatMap(([status, { content }]) =>
      Object.values(content['application/json']!.examples!).map(({ value }) => {
        assert.equal(String(value.status_code), status)
        return `${status} ${value.name}`
      }),
    )
    const refused = refusalsOf(route).flatMap((kind) => {
      const { status, name: usual } = statusOf[kind]
      return [usual, ...ownNamesOf(kind, route)].map((name) => `${status} ${name}`)
    })
    assert.deepEqual(told.sort(), [...refused, '500 internal_error'].sort())
  })

test('an operation has a key for each status, also for those that all operations share', () => {
  const { responses } = document.paths['/v1/templates'].get
  assert.deepEqual(Object.keys(responses), ['200', '400', '401', '403', '429', '500', '503'])
  assert.deepEqual(responses[401], { $ref: '#/components/responses/Unauthenticated' })
})
