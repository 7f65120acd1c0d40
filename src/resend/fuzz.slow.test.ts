import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTestApp } from '../../test/app.ts'
import { hostile, nearlyValid, valid } from '../../test/from-schema.ts'
import type { Route } from '../platform/http/route.ts'
import { resendRoutes } from './routes.ts'

const requestsPerRoute = 60

// A port without a server, so that no look-up leaves this machine.
const posthorn = await createTestApp({ DNS_SERVERS: '127.0.0.1:9' })

async function setScene() {
  const { api, key, domain } = await posthorn.team({ limits: { apiRequestsPerMinute: 1_000_000 } })
  const create = async (path: string, body: object) => (await api.post(`/resend${path}`, body)).body.id as string
  const segment_id = await create('/segments', { name: 'All' })
  const ids = [
    segment_id,
    'ada@example.com',
    'welcome',
    await create('/contacts', { email: 'ada@example.com' }),
    await create('/topics', { name: 'News', default_subscription: 'opt_in' }),
    await create('/templates', { name: 'Welcome', alias: 'welcome', html: '<p>{{{X}}}</p>' }),
    await create('/broadcasts', { segment_id, from: `a@${domain}`, subject: 'x', text: 'x' }),
    await create('/emails', { from: `a@${domain}`, to: 'a@b.co', subject: 'x', text: 'x', scheduled_at: 'in 1 day' }),
    await create('/webhooks', { endpoint: 'https://shop.test', events: ['email.sent'] }),
    await create('/suppressions', { email: 'gone@example.com' }),
  ]
  return { key, domain, ids }
}

function requestTo(route: Route, { key, domain, ids }: Awaited<ReturnType<typeof setScene>>) {
  const id = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...ids) }, fc.uuid(), fc.constantFrom('42', '%00', "'"))
  const body = route.body
    ? fc.oneof({ weight: 5, arbitrary: valid(route.body) }, { weight: 4, arbitrary: nearlyValid(route.body) }, hostile)
    : fc.constant(undefined)
  const query = route.query ? fc.oneof(valid(route.query), nearlyValid(route.query)) : fc.constant({})
  return fc.record({ ids: fc.array(id, { minLength: 3, maxLength: 3 }), body, query }).map(({ ids, body, query }) => ({
    url: route.path.replaceAll(/:\w+/g, () => ids.pop()!) + queryOf(query),
    ...(body !== undefined && { payload: JSON.stringify(body).replaceAll('@example.com', `@${domain}`) }),
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
  }))
}

function queryOf(query: unknown): string {
  const pairs = Object.entries(query ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value),
  ])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(pairs))}`
}

for (const route of resendRoutes) {
  test(`${route.method} ${route.path} answers every request, and refuses in Resend’s form`, async () => {
    const scene = await setScene()
    await fc.assert(
      fc.asyncProperty(requestTo(route, scene), async (request) => {
        posthorn.clock.advance(197)
        const answer = await posthorn.server.inject({ method: route.method, ...request })
        const { statusCode, body } = answer
        assert.ok(statusCode < 500 || statusCode === 501, `${statusCode}: ${body}`)
        if (statusCode < 400) return
        const refusal = answer.json()
        assert.deepEqual(Object.keys(refusal), ['statusCode', 'name', 'message'])
        assert.equal(refusal.statusCode, statusCode)
      }),
      { numRuns: requestsPerRoute, endOnFailure: true },
    )
  })
}
