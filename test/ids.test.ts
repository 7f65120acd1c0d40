import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../src/app.ts'
import type { Route } from '../src/platform/http/route.ts'
import { createTestApp, ok } from './app.ts'
import { pluck } from './pluck.ts'

const posthorn = await createTestApp()
const team = await posthorn.team()
const { token: accessToken } = await team.member('owner')

const id = '01890a5d-ac96-774b-bcce-b302099a8057'
/** Texts that a check of UUIDs may accept, although PostgreSQL refuses them or reads another id. */
const notIds = [`urn:uuid:${id}`, `URN:UUID:${id}`, `{${id}}`, id.replaceAll('-', ''), `${id}\n`, ` ${id}`, `${id}0`]

type Schema = { format?: string; properties?: Record<string, Schema>; items?: Schema; required?: string[] }

function isId(schema: Schema | undefined): boolean {
  return schema?.format === 'uuid'
}

/** Returns the fields that accept an id or a list of ids. */
function idsOf(schema: unknown): [string, boolean][] {
  return Object.entries((schema as Schema | undefined)?.properties ?? {}).flatMap(
    ([name, field]): [string, boolean][] => (isId(field) ? [[name, false]] : isId(field.items) ? [[name, true]] : []),
  )
}

async function assertRefused(route: Route, url: string, payload?: object): Promise<void> {
  const token = route.access === 'user' ? accessToken : team.key
  const answer = await posthorn.server.inject({
    method: route.method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  })
  assert.equal(answer.statusCode, 400, `${route.method} ${url} ${JSON.stringify(payload)}: ${answer.body}`)
  assert.equal(answer.json().name, 'validation_error')
  assert.match(JSON.stringify(answer.json().errors), /must be a UUID/)
}

const pathOf = (route: Route, value = id) => route.path.replaceAll(/:\w+/g, encodeURIComponent(value))

for (const route of routes.filter(({ params }) => idsOf(params).length > 0)) {
  test(`${route.method} ${route.path} takes an id in its one form and no other`, async () => {
    for (const value of notIds) await assertRefused(route, pathOf(route, value), route.body && {})
  })
}

for (const route of routes.filter(({ query }) => idsOf(query).length > 0)) {
  test(`${route.method} ${route.path} takes ids in the query in their one form and no other`, async () => {
    for (const [name] of idsOf(route.query))
      for (const value of notIds) await assertRefused(route, `${pathOf(route)}?${name}=${encodeURIComponent(value)}`)
  })
}

for (const route of routes.filter(({ body }) => idsOf(body).length > 0)) {
  test(`${route.method} ${route.path} takes ids in the body in their one form and no other`, async () => {
    for (const [name, isList] of idsOf(route.body))
      for (const value of notIds) await assertRefused(route, pathOf(route), { [name]: isList ? [value] : value })
  })
}

test('an id in capitals is the same id, in a path and in a body', async () => {
  const domainId = team.domainId.toUpperCase()
  assert.equal((await team.api.get(`/v1/domains/${domainId}`)).status, 200)
  const key = { name: 'Capitals', permission: 'full_access', domainId }
  const restricted = posthorn.as((await ok(team.api.post('/v1/api-keys', key))).key)
  assert.equal((await ok(restricted.post('/v1/api-keys', key))).domainId, team.domainId)
})

test('the audit log names what was changed by an id in capitals', async () => {
  const template = await ok(team.api.post('/v1/templates', { name: 'Welcome', text: 'Hello' }))
  await team.api.delete(`/v1/templates/${template.id.toUpperCase()}`)
  const { data } = await ok(posthorn.as(accessToken).get(`/v1/audit?target=${template.id.toUpperCase()}`))
  assert.deepEqual(pluck(data, 'action'), ['template.deleted', 'template.created'])
})
