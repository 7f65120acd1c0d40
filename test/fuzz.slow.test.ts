import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { routes } from '../src/app.ts'
import type { Route } from '../src/platform/http/route.ts'
import { setTeamLimits } from '../src/teams/set-plan.ts'
import { createTestApp, type TestTeam } from './app.ts'
import { hostile, nearlyValid, valid } from './from-schema.ts'
import { inlined } from './inlined.ts'

/** Requests to each route: about a minute for all of them on a quiet machine. */
const requestsPerRoute = 60

// A port without a server, so that no look-up leaves this machine.
const posthorn = await createTestApp({ DNS_SERVERS: '127.0.0.1:9', PUBLIC_REQUESTS_PER_MINUTE: '1000000' })
const { body: document } = await posthorn.anyone.get('/openapi.json')
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
const validators = new Map<string, ValidateFunction>()

/** The callers and their rows. Each route gets new ones, as the one before may have deleted everything. */
type Scene = { token: string; ids: string[]; domain: string }

const tested = routes.filter(({ operationId, produces }) => operationId && produces !== 'text/event-stream')
for (const route of tested) {
  test(`${route.method} ${route.path} answers every request as its description says`, async () => {
    const scene = await setScene(route)
    await fc.assert(
      fc.asyncProperty(requestTo(route, scene), async (request) => {
        // Shorter than an access token's life over all runs, and long enough to keep most sends within the limit a
        // second.
        posthorn.clock.advance(197)
        await assertDescribed(route, request)
      }),
      { numRuns: requestsPerRoute, endOnFailure: true },
    )
  })
}

async function setScene(route: Route): Promise<Scene> {
  const team = await posthorn.team({ limits: { apiRequestsPerMinute: 1_000_000 } })
  const scene = { ids: await knownIds(team), domain: team.domain }
  if (route.access !== 'user') return { ...scene, token: team.key }
  const email = `${randomUUID()}@fuzz.test`
  const { body: session } = await posthorn.anyone.post('/auth/signup', { email, password: 'correct horse battery' })
  await posthorn.app.transaction((tx) => setTeamLimits(tx, session.team.id, { apiRequestsPerMinute: 1_000_000 }))
  return { ...scene, token: session.accessToken }
}

type Wanted = { url: string; payload?: string; headers: Record<string, string> }

function requestTo(route: Route, { ids, token, domain }: Scene): fc.Arbitrary<Wanted> {
  const id = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...ids) },
    fc.uuid(),
    fc.constantFrom('42', '%00', '%ED%A0%80', '..', "'", '%20'),
  )
  const parameters = fc.array(id, { minLength: 3, maxLength: 3 })
  const body = route.body
    ? fc.oneof({ weight: 5, arbitrary: valid(route.body) }, { weight: 4, arbitrary: nearlyValid(route.body) }, hostile)
    : fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, hostile)
  const query = route.query
    ? fc.oneof({ weight: 3, arbitrary: valid(route.query) }, nearlyValid(route.query))
    : fc.constantFrom({}, {}, {}, { unknown: '1' })
  const key = fc.option(
    fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 300 }).filter((text) => /^[\x20-\x7e]*$/.test(text)),
    { nil: undefined },
  )
  return fc.record({ parameters, body, query, key }).map(({ parameters, body, query, key }) => ({
    url: pathOf(route, parameters) + queryOf(query),
    ...(route.method !== 'GET' &&
      body !== undefined && { payload: JSON.stringify(body).replaceAll('hello@shop.test', `hello@${domain}`) }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(route.method !== 'GET' && body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
  }))
}

function pathOf({ path }: Route, parameters: string[]): string {
  let used = 0
  return path.replaceAll(/:\w+/g, () => parameters[used++]!)
}

function queryOf(query: unknown): string {
  if (typeof query !== 'object' || query === null) return ''
  const pairs = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value),
  ])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(pairs))}`
}

async function assertDescribed(route: Route, request: Wanted): Promise<void> {
  const answer = await posthorn.server.inject({ method: route.method, ...request })
  assert.ok(answer.statusCode < 500 || answer.statusCode === 502, `${answer.statusCode}: ${answer.body}`)
  for (const name of ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    assert.ok(answer.headers[name], name)
  // An empty path parameter, or one of dots, names another path.
  const elsewhere = answer.statusCode === 404 && /There is nothing at/.test(answer.body)
  if (elsewhere || answer.statusCode === 405) return
  const described = responseValidator(route, answer.statusCode)
  assert.ok(described !== undefined, `${answer.statusCode} is not described: ${answer.body.slice(0, 300)}`)
  if (!String(answer.headers['content-type']).startsWith('application/json')) return
  assert.ok(
    described?.(answer.json()),
    `${answer.statusCode} ${answer.body.slice(0, 500)}: ${ajv.errorsText(described?.errors)}`,
  )
}

/** Null if the status is described without JSON; undefined if it is not described. */
function responseValidator(route: Route, status: number): ValidateFunction | null | undefined {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
  const response = document.paths[path][route.method.toLowerCase()].responses[status]
  if (response === undefined) return undefined
  const { schema } = inlined(document, response).content['application/json'] ?? {}
  if (schema === undefined) return null
  const text = JSON.stringify(schema)
  const known = validators.get(text) ?? ajv.compile(schema)
  validators.set(text, known)
  return known
}

/** The ids of existing rows, so that requests get past the look-up. */
async function knownIds({ api, domain, domainId }: TestTeam): Promise<string[]> {
  const from = `Shop <hello@${domain}>`
  const made = await Promise.all([
    api.post('/v1/emails', { from, to: ['ada@shop.test'], subject: 'Hello', text: 'Hello' }),
    api.post('/v1/emails', {
      from,
      to: ['ada@shop.test'],
      subject: 'Later',
      text: 'Later',
      scheduledAt: '2031-01-01T00:00:00Z',
    }),
    api.post('/v1/templates', { name: 'Welcome', html: '<p>{{name}}</p>' }),
    api.post('/v1/suppressions', { email: 'gone@shop.test' }),
    api.post('/v1/api-keys', { name: 'Another' }),
    api.post('/v1/workflows', { name: 'Welcome' }),
    api.post('/v1/credentials', { name: 'Warehouse', type: 'bearer', secret: { token: 'x' } }),
  ])
  const inbox = await api.get('/v1/inbox')
  return [domainId, ...made.map(({ body }) => body.id), ...inbox.body.data.map(({ id }: { id: string }) => id)]
}
