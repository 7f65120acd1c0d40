import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../src/app.ts'
import type { Route } from '../src/platform/http/route.ts'
import { createComponents } from '../src/reference/components.ts'
import { exampleOf } from '../src/reference/example.ts'
import { operationOf } from '../src/reference/operation.ts'
import { type Answer, createTestApp, ok } from './app.ts'

const posthorn = await createTestApp()
const { db } = posthorn.app
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'
const nameOf = ({ method, path }: Route) => `${method} ${path}`
let addresses = 0
const guest = () => `guest${++addresses}@people.test`

/** A team with a member of each kind that requests are about, and its owner with a login that is an hour old. */
async function staleOwner() {
  const team = await posthorn.team()
  const owner = await team.member('owner')
  const [other, admin, viewer] = [await team.member('owner'), await team.member('admin'), await team.member('viewer')]
  const [full, sending] = [
    await team.newKey({ permission: 'full_access', domainId: team.domainId }),
    await team.newKey(),
  ]
  await db.updateTable('teams').set({ require_two_factor: true }).where('id', '=', team.id).execute()
  // A second factor, so that the team lets its owner in.
  await db.updateTable('users').set({ totp_secret: 'sealed' }).where('id', '=', owner.userId).execute()
  const age = (ms: number) =>
    db
      .updateTable('refresh_tokens')
      .set({ confirmed_at: new Date(posthorn.clock.now().getTime() - ms) })
      .where('user_id', '=', owner.userId)
      .execute()
  await age(15 * 60_000 + 1)
  const { id: unused } = await ok(team.api.post('/v1/domains', { name: `unused.${team.domain}` }))
  return {
    team,
    owner,
    domains: { ofFull: team.domainId, unused: unused as string },
    ids: { other, admin, viewer, full, sending },
    freshen: () => age(15 * 60_000),
  }
}

type Stale = Awaited<ReturnType<typeof staleOwner>>
type Body = object | undefined
/** The id of a path, and the body. */
type Request = (stale: Stale) => [id: string, body?: Body]

const member =
  (who: 'other' | 'admin' | 'viewer', body?: Body): Request =>
  (stale) => [stale.ids[who].userId, body]
const key =
  (which: 'full' | 'sending', body?: Body): Request =>
  (stale) => [stale.ids[which].id, body]
const plain =
  (body?: Body): Request =>
  () => [unknownId, body]

/** Requests of each route that ask, and those that do not. */
const requests: Record<string, { ask: Request[]; pass?: Request[] }> = {
  'POST /auth/2fa/setup': { ask: [plain()] },
  'POST /auth/2fa/verify': { ask: [plain({ code: '123456' })] },
  'DELETE /auth/me': { ask: [plain(), plain({ deleteTeams: true })] },
  'POST /auth/me/email': { ask: [plain({ email: guest() })] },
  'POST /v1/api-keys': {
    ask: [
      plain({ name: 'k', permission: 'full_access' }),
      plain({ name: 'k', permission: 'full_access', mode: 'test' }),
    ],
    pass: [plain({ name: 'k' })],
  },
  'PATCH /v1/api-keys/:id': {
    ask: [
      key('full', { permission: 'sending_access' }),
      key('full', { expiresAt: '2031-01-31T09:30:00Z' }),
      key('sending', { permission: 'full_access' }),
    ],
    pass: [
      key('full', { name: 'Shop', permission: 'full_access', expiresAt: null }),
      key('sending', { expiresAt: '2031-01-31T09:30:00Z' }),
    ],
  },
  'DELETE /v1/api-keys/:id': { ask: [key('full')], pass: [key('sending')] },
  'DELETE /v1/domains/:id': { ask: [({ domains }) => [domains.ofFull]], pass: [({ domains }) => [domains.unused]] },
  'POST /v1/team/invitations': {
    ask: [plain({ email: guest(), role: 'owner' }), plain({ email: guest(), role: 'admin' })],
    pass: [plain({ email: guest(), role: 'developer' })],
  },
  'PATCH /v1/team/members/:userId': {
    ask: [
      member('viewer', { role: 'owner' }),
      member('viewer', { role: 'admin' }),
      member('admin', { role: 'owner' }),
      member('admin', { role: 'viewer' }),
      member('other', { role: 'admin' }),
    ],
    pass: [member('viewer', { role: 'developer' }), member('admin', { role: 'admin' })],
  },
  'DELETE /v1/team/members/:userId': {
    ask: [member('admin'), member('other'), ({ owner }) => [owner.userId]],
    pass: [member('viewer')],
  },
  'PATCH /v1/team': {
    ask: [plain({ requireTwoFactor: false })],
    pass: [plain({ name: 'Engines', requireTwoFactor: true })],
  },
  'DELETE /v1/team': { ask: [plain({ confirm: 'Shop' })] },
  'POST /v1/privacy/requests': {
    ask: [plain({ type: 'export', email: 'ada@people.test' })],
    pass: [plain({ type: 'erase', email: 'ada@people.test' })],
  },
}

function send({ api }: { api: Stale['owner']['api'] }, name: string, id: string, body?: Body): Promise<Answer> {
  const [method, pattern = ''] = name.split(' ')
  const path = pattern.replaceAll(/:\w+/g, id)
  if (method === 'GET') return api.get(path)
  if (method === 'DELETE') return api.delete(path, body)
  return method === 'PATCH' ? api.patch(path, body) : api.post(path, body)
}

for (const [name, { ask, pass = [] }] of Object.entries(requests)) {
  test(`${name} asks a login older than 15 minutes for the password or a code, and changes nothing before`, async () => {
    for (const request of ask) {
      const stale = await staleOwner()
      const [id, body] = request(stale)
      const refused = await send(stale.owner, name, id, body)
      assert.deepEqual([refused.status, refused.body], [403, { status_code: 403, ...answer }], refused.text)
      await stale.freshen()
      const { status, text } = await send(stale.owner, name, id, body)
      assert.notEqual(status, 403, text)
      if (name.includes('/v1/')) assert.equal(status, 200, text)
    }
    for (const request of pass) {
      const stale = await staleOwner()
      const { status, text } = await send(stale.owner, name, ...request(stale))
      assert.equal(status, 200, text)
    }
  })
}

const answer = {
  name: 'reauthentication_required',
  message:
    'This needs a password or code given in the last 15 minutes. Send one to POST /auth/reauthenticate and repeat the request. An account with neither signs in again through its provider.',
}

/** A stream does not end. */
const isStream = ({ produces }: Route) => produces === 'text/event-stream'

test('no other route asks for it', async () => {
  const { owner } = await staleOwner()
  const others = routes.filter((route) => route.access !== 'public' && !isStream(route) && !(nameOf(route) in requests))
  for (const route of others) {
    if (nameOf(route) === 'DELETE /auth/session') continue
    const body = route.body && (exampleOf(route.body) as object)
    const { body: answered } = await send(owner, nameOf(route), unknownId, body)
    assert.notEqual(answered?.name, answer.name, nameOf(route))
  }
  assert.equal((await owner.api.get('/auth/me')).status, 200, 'the session was good to the end')
})

test('a route says that it asks, if it does, and in which cases', () => {
  assert.deepEqual(
    routes
      .filter(({ asksAgain }) => asksAgain)
      .map(nameOf)
      .sort(),
    Object.keys(requests).sort(),
  )
  for (const route of routes) {
    const { pass = [] } = requests[nameOf(route)] ?? {}
    if (route.asksAgain) assert.equal(typeof route.asksAgain, pass.length > 0 ? 'string' : 'boolean', nameOf(route))
    const says = String(operationOf(route, createComponents()).description).includes(`is 403 \`${answer.name}\``)
    if (nameOf(route) !== 'POST /auth/reauthenticate') assert.equal(says, route.asksAgain !== undefined, nameOf(route))
  }
})

test('a change by an API key asks for nothing', async () => {
  const { team, ids } = await staleOwner()
  assert.equal((await team.api.post('/v1/api-keys', { name: 'k', permission: 'full_access' })).status, 200)
  assert.equal((await team.api.delete(`/v1/api-keys/${ids.full.id}`)).status, 200)
})
