import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../src/app.ts'
import type { Role } from '../src/context.ts'
import type { Route } from '../src/platform/http/route.ts'
import { everybody } from '../src/teams/roles/roles.ts'
import { type Answer, type Api, sharedTestApp } from './app.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()
const apis = new Map(await Promise.all(everybody.map(async (role) => [role, (await team.member(role)).api] as const)))
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

/**
 * The roles that may call a route, as docs/teams.md promises. A route that only reads and is not here is for every
 * role.
 */
const promised: [who: Role[], requests: RegExp][] = [
  [['owner'], /^POST \/v1\/billing\/(checkout|portal)$|^DELETE \/v1\/team$/],
  [['owner', 'admin'], /^GET \/v1\/(billing\/\w+|audit|team\/invitations)$|^\w+ \/v1\/privacy\/requests/],
  [['owner', 'admin'], /^PATCH \/v1\/team(\/retention|\/members\/:userId)?$|^(POST|DELETE) \/v1\/team\/invitations/],
  [['owner', 'admin', 'developer'], /^GET \/v1\/requests/],
  [
    ['owner', 'admin', 'developer'],
    /^(POST|PATCH) \/v1\/emails|^POST \/v1\/sms(\/batch)?$|^POST \/providers\/capture\//,
  ],
  [['owner', 'admin', 'developer'], /^POST \/v1\/whatsapp\/(messages|conversations\/:id\/reply)$/],
  [
    ['owner', 'admin', 'developer'],
    /^(POST|PATCH|DELETE) \/v1\/(api-keys|domains|webhooks|credentials|sms\/senders|whatsapp\/senders|inbox)(\/|$)/,
  ],
  [['owner', 'admin', 'developer'], /^POST \/v1\/workflows\/:id\/rotate-trigger-key$/],
  [
    ['owner', 'admin', 'marketer'],
    /^(POST|PATCH|DELETE) \/v1\/(contacts|segments|topics|templates|whatsapp\/templates|broadcasts)(\/|$)/,
  ],
  [['owner', 'admin', 'marketer'], /^(POST|DELETE) \/v1\/(suppressions|sms\/opt-outs)/],
  [
    ['owner', 'admin', 'developer', 'marketer'],
    /^(POST|PATCH|DELETE) \/v1\/workflows(\/:id(\/(check|activate|duplicate|executions.*))?)?$/,
  ],
  [
    [...everybody],
    /^(POST|PATCH|DELETE) \/auth\/|^POST \/mcp$|^POST \/v1\/previews$|^DELETE \/v1\/team\/members\/:userId$/,
  ],
]

for (const { method, path } of routes.filter((route) => route.access !== 'public' && !isStream(route))) {
  const name = `${method} ${path}`
  const matching = promised.filter(([, requests]) => requests.test(name))
  const [[may] = [everybody]] = matching
  test(`${name} is for ${may.length === everybody.length ? 'every role' : may.join(', ')}`, async () => {
    assert.equal(
      matching.length,
      method === 'GET' ? Math.min(1, matching.length) : 1,
      'Promise it in `promised`, once.',
    )
    for (const [role, shared] of apis) {
      const api = endsSession(name) ? (await team.member(role)).api : shared
      const answer = path.includes('/:userId') ? await callOnOneself(role, method, path) : await call(api, method, path)
      const isRefused = answer.status === 403 && answer.body.name === 'forbidden'
      assert.equal(isRefused, !may.includes(role), `${role}: ${answer.text}`)
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
