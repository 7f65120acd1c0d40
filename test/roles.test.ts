import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../src/app.ts'
import type { Role } from '../src/context.ts'
import type { Route } from '../src/platform/http/route.ts'
import { roles, rules } from '../src/teams/roles/table.ts'
import { type Answer, type Api, sharedTestApp } from './app.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()
const apis = new Map(await Promise.all(roles.map(async (role) => [role, (await team.member(role)).api] as const)))
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

function call(api: Api, method: string, path: string): Promise<Answer> {
  const url = path.replaceAll(/:\w+/g, unknownId)
  if (method === 'GET') return api.get(url)
  if (method === 'DELETE') return api.delete(url)
  return method === 'POST' ? api.post(url, {}) : api.patch(url, {})
}

/** Routes that sign their caller out, which the other tests still need signed in. */
const endsSession = (name: string) => ['DELETE /auth/session', 'DELETE /auth/me'].includes(name)

/** Calls a route about members with the caller's own id: every member may leave. */
async function callOnOneself(role: Role, method: string, path: string): Promise<Answer> {
  const { userId, api } = await team.member(role)
  return call(api, method, path.replace(':userId', userId))
}

/** A stream does not end, and is for every role: src/live/live.test.ts reads one. */
const isStream = ({ produces }: Route) => produces === 'text/event-stream'

for (const { method, path } of routes.filter((route) => route.access !== 'public' && !isStream(route))) {
  const name = `${method} ${path}`
  const may = rules.find((rule) => rule.routes.includes(name))?.roles ?? []
  test(`${name} is for ${may.length === roles.length ? 'every role' : may.join(', ')}`, async () => {
    for (const [role, shared] of apis) {
      const api = endsSession(name) ? (await team.member(role)).api : shared
      const answer = path.includes('/:userId') ? await callOnOneself(role, method, path) : await call(api, method, path)
      const isRefused = answer.status === 403 && answer.body.name === 'forbidden'
      assert.equal(isRefused, !may.includes(role), `${role}: ${answer.text}`)
    }
  })
}

/** The promises of the roles in the documentation, with a request for each. */
const promised: [who: Role[], requests: string[]][] = [
  [['owner'], ['POST /v1/billing/checkout', 'POST /v1/billing/portal']],
  [['owner', 'admin'], ['GET /v1/billing/subscription']],
  [
    ['owner', 'admin', 'developer'],
    ['POST /v1/emails', 'POST /v1/sms', 'POST /v1/whatsapp/messages', 'POST /v1/api-keys', 'POST /v1/domains'],
  ],
  [
    ['owner', 'admin', 'developer'],
    ['POST /v1/webhooks', 'POST /v1/credentials', 'POST /v1/sms/senders', 'POST /v1/whatsapp/senders'],
  ],
  [
    ['owner', 'admin', 'marketer'],
    ['POST /v1/contacts', 'POST /v1/segments', 'POST /v1/topics', 'POST /v1/templates', 'POST /v1/broadcasts'],
  ],
  [
    ['owner', 'admin', 'marketer'],
    ['POST /v1/suppressions', 'POST /v1/sms/opt-outs'],
  ],
  [['owner', 'admin', 'developer', 'marketer'], ['POST /v1/workflows']],
  [[...roles], ['GET /v1/contacts', 'GET /v1/emails', 'GET /v1/api-keys', 'GET /v1/workflows', 'GET /v1/webhooks']],
]

for (const [who, requests] of promised) {
  test(`${requests.join(', ')}: ${who.join(', ')} only`, async () => {
    for (const request of requests) {
      const [method = '', path = ''] = request.split(' ')
      for (const [role, api] of apis) {
        const { status, text } = await call(api, method, path)
        assert.equal(status !== 403, who.includes(role), `${role} ${request}: ${text}`)
      }
    }
  })
}

test('a refused role is told which roles may', async () => {
  const { status, body } = await apis.get('viewer')!.post('/v1/contacts', { email: 'ada@people.test' })
  assert.deepEqual(
    [status, body],
    [
      403,
      {
        status_code: 403,
        name: 'forbidden',
        message: 'This needs the role owner, admin, or marketer; your role in this team is viewer.',
      },
    ],
  )
})

test('a role is refused before the body is read', async () => {
  const answer = await apis.get('viewer')!.post('/v1/contacts', '{"a":', { 'content-type': 'application/json' })
  assert.equal(answer.status, 403, answer.text)
})
