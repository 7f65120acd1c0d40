import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { comparableName } from '../scripts/routes/promised.ts'
import { filesOfRoutes } from '../scripts/routes.ts'
import { routes } from '../src/app.ts'
import type { Route } from '../src/platform/http/route.ts'
import { channels } from '../src/settings.ts'
import { rolesOf } from '../src/teams/roles/refuse-role.ts'
import { type Answer, type Api, createTestApp } from './app.ts'
import endpoints from './fixtures/endpoints.json' with { type: 'json' }

/** Each route is called twice without a key, within one minute of the manual clock. */
const publicLimit = '100000'
const posthorn = await createTestApp({ PUBLIC_REQUESTS_PER_MINUTE: publicLimit })
const team = await posthorn.team()
const sending = await team.newKey({ permission: 'sending_access' })
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

const routesOfProviders = channels.flatMap(({ providers }) => providers.flatMap((provider) => provider.routes))

/** Served in addition to the endpoints of test/fixtures/endpoints.json. */
const ours = [
  ...routesOfProviders.map(nameOf),
  ...['GET /docs/reference.js', 'GET /t/c/*', 'GET /t/o/*'],
  ...['POST /mcp', 'GET /', 'GET /app', 'GET /app/*', 'GET /app/assets/:name'],
]
/**
 * The routes that a key with sending_access may call (docs/decisions/api-keys.md). Every other route requires
 * full_access.
 */
const forSendingKeys =
  /^\w+ \/v1\/emails|^GET \/v1\/broadcasts|^(POST|PATCH) \/v1\/broadcasts(\/:id(\/send)?)?$|^POST \/v1\/sms(\/batch)?$|^GET \/v1\/sms(\/:id(\/events)?)?$|^(GET|POST) \/v1\/whatsapp\/messages|^GET \/v1\/rate-limits$|^POST \/mcp$/

const closed = routes.filter((route) => route.access !== 'public')

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`
}

function call(api: Api, { method, path }: Route, id = unknownId): Promise<Answer> {
  const url = path.replaceAll(/:\w+/g, id)
  if (method === 'POST') return api.post(url, {})
  if (method === 'PATCH') return api.patch(url, {})
  return method === 'GET' ? api.get(url) : api.delete(url)
}

test('every route in endpoints.json is served', () => {
  const served = new Set(routes.map(comparableName))
  const missing = endpoints.map(comparableName).filter((name) => !served.has(name))
  assert.deepEqual(missing, [], 'Listed in test/fixtures/endpoints.json and not served: build it.')
})

test('every served route is in endpoints.json, or is known to be outside the API', () => {
  const listed = new Set(endpoints.map(comparableName))
  const unlisted = routes.filter((route) => !listed.has(comparableName(route)) && !ours.includes(nameOf(route)))
  assert.deepEqual(unlisted.map(nameOf), [], 'Run: npm run generate. If it is not part of the API, add it to `ours`.')
})

test('a provider serves its events under /providers/ and other pages only outside the API', () => {
  const strays = routesOfProviders.filter(({ path, operationId }) => !path.startsWith('/providers/') && operationId)
  assert.deepEqual(strays.map(nameOf), [])
})

test('a route that is not public names the roles that may call it, and one that changes something says what', () => {
  const silent = closed.filter((route) => rolesOf(route).length === 0 || (route.method !== 'GET' && !route.changes))
  assert.deepEqual(silent.map(nameOf), [], 'Write `roles` and `changes` into the route.')
  const forAll = routes.filter(({ access, roles }) => access === 'public' && roles)
  assert.deepEqual(forAll.map(nameOf), [], 'A public route has no roles. It may have those of its `routesOf`.')
})

test('a route changes what has a list, an account, or nothing', () => {
  const isRead = (noun: string) =>
    routes.some(({ method, path }) => method === 'GET' && `${path}/`.startsWith(`/v1/${noun}/`))
  const odd = routes.filter(({ changes }) => changes && !['account', 'nothing'].includes(changes) && !isRead(changes))
  assert.deepEqual(odd.map(nameOf), [], 'Write the noun as in the path of its list: views of it are fetched again.')
})

for (const [path, made] of Object.entries(await filesOfRoutes())) {
  test(`${path} has every route as it is declared`, () => {
    const written = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
    assert.equal(written, made, 'Run: npm run generate')
  })
}

test('a success has the status in endpoints.json', () => {
  const statuses = new Map(endpoints.map((endpoint) => [comparableName(endpoint), endpoint.status]))
  const wrong = routes.filter((route) => (route.status ?? 200) !== (statuses.get(comparableName(route)) ?? 200))
  assert.deepEqual(wrong.map(nameOf), [])
})

test('sending_access may call the listed routes and no others', () => {
  const open = routes.filter((route) => route.access === 'send').map(nameOf)
  const decided = closed.map(nameOf).filter((name) => forSendingKeys.test(name))
  assert.deepEqual(open.sort(), decided.sort())
})

for (const route of closed) {
  test(`${nameOf(route)} is 401 without a key, and with a bad one`, async () => {
    for (const api of [
      posthorn.anyone,
      posthorn.as('ph_0000000000000000000000000000000000000000'),
      posthorn.as('nonsense'),
    ]) {
      const answer = await call(api, route)
      assert.equal(answer.status, 401, answer.text)
      assert.deepEqual(Object.keys(answer.body).sort(), ['message', 'name', 'status_code'])
      assert.equal(answer.body.name, 'authentication_error')
      assertHeaders(answer, publicLimit)
    }
  })
}

for (const route of closed.filter(({ access }) => access !== 'send')) {
  test(`${nameOf(route)} is 403 for a key without the permission`, async () => {
    const answer = await call(route.access === 'user' ? team.api : sending.api, route)
    assert.equal(answer.status, 403, answer.text)
    assert.equal(answer.body.name, 'authorization_error')
    assertHeaders(answer, '10000')
  })
}

for (const route of closed.filter(({ path, access }) => path.includes('/:id') && access !== 'user')) {
  test(`${nameOf(route)} is 400 for an id that is not a UUID`, async () => {
    const answer = await call(team.api, route, '42')
    assert.equal(answer.status, 400, answer.text)
    assertHeaders(answer, '10000')
  })
}

for (const route of routes.filter(
  ({ access, produces, unlimited }) => access === 'public' && !produces && !unlimited,
)) {
  test(`${nameOf(route)} is open, and counts against the client's address`, async () => {
    const answer = await call(posthorn.anyone, route)
    assert.notEqual(answer.status, 403)
    assert.ok(answer.status < 500, answer.text)
    assertHeaders(answer, publicLimit)
  })
}

function assertHeaders({ headers }: Answer, limit: string): void {
  assert.match(headers['x-request-id']!, /^[0-9a-f-]{36}$/)
  assert.equal(headers['x-ratelimit-limit'], limit)
  assert.match(headers['x-ratelimit-remaining']!, /^\d+$/)
  assert.equal(Number(headers['x-ratelimit-reset']) % 60, 0)
}
