import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { password, signUp } from '../../../test/person.ts'
import { pluckRows } from '../../../test/pluck.ts'
import type { Event } from '../../events.ts'
import type { Subscription } from '../../platform/events.ts'
import { sessionUses } from './note-use.ts'

const posthorn = await createTestApp({ TRUST_PROXY: '127.0.0.1' })
const [home, office] = ['203.0.113.1', '203.0.113.2']

const from = (address: string, userAgent = 'Firefox') => ({ 'x-forwarded-for': address, 'user-agent': userAgent })
const post = (path: string, body: object, headers: Record<string, string>) => posthorn.anyone.post(path, body, headers)

async function person() {
  const ada = await signUp(posthorn, {}, from(home))
  const login = async (headers: Record<string, string>) => {
    const answer = await post('/auth/login', { email: ada.email, password }, headers)
    assert.equal(answer.status, 200, answer.text)
    return { ...answer.body, api: posthorn.as(answer.body.accessToken) }
  }
  return { ...ada, login }
}

/** Hears the sign-ins from unknown networks. */
const heard: Event<'account.signed_in_elsewhere'>[] = []
const listener: Subscription<'account.signed_in_elsewhere'> = {
  types: ['account.signed_in_elsewhere'],
  listen: async (_tx, events) => void heard.push(...events),
}
await posthorn.app.transaction(async (tx) => (tx.subscriptions as unknown as (typeof listener)[]).push(listener))

test('a person sees each login with its client, and which one is the present', async () => {
  const ada = await person()
  posthorn.clock.advance(1000)
  const phone = await ada.login(from(office, `Phone ${'x'.repeat(500)}`))
  const body = await ok(phone.api.get('/auth/sessions'))
  assert.deepEqual([body.cursor, body.hasMore], [null, false])
  const [newer, older] = body.data
  const now = posthorn.clock.now()
  const at = now.toISOString()
  const [id, ...rest] = [newer.id, body.data.length]
  assert.deepEqual(rest, [2])
  const agent = `Phone ${'x'.repeat(194)}`
  assert.deepEqual(newer, { id, current: true, userAgent: agent, address: office, createdAt: at, lastSeenAt: at })
  const earlier = new Date(now.getTime() - 1000).toISOString()
  assert.deepEqual([older.current, older.userAgent, older.address, older.createdAt], [false, 'Firefox', home, earlier])
  const renewed = await post('/auth/refresh', { refreshToken: ada.refreshToken }, from('2001:db8::7', 'Safari'))
  const [, same] = (await posthorn.as(renewed.body.accessToken).get('/auth/sessions')).body.data
  assert.deepEqual(
    [same.id, same.current, same.userAgent, same.address],
    [older.id, true, 'Safari', '2001:db8::7'],
    'a refresh says where the client is now',
  )
  const page = await phone.api.get('/auth/sessions?limit=1')
  assert.deepEqual([page.body.data[0].id, page.body.hasMore], [newer.id, true])
  const next = await phone.api.get(`/auth/sessions?limit=1&cursor=${page.body.cursor}`)
  assert.equal(next.body.data[0].id, older.id)
})

test('ending a session stops its access token and refresh token at once, in every process', async () => {
  const ada = await person()
  const other = await posthorn.another()
  const phone = await ada.login(from(office))
  const list = (await ada.api.get('/auth/sessions')).body.data
  const { id } = list.find(({ current }: { current: boolean }) => !current)
  const ended = await ada.api.delete(`/auth/sessions/${id}`)
  assert.deepEqual([ended.status, ended.body], [200, { id, deleted: true }])
  assert.equal((await phone.api.get('/auth/me')).status, 401)
  const headers = { authorization: `Bearer ${phone.accessToken}` }
  assert.equal((await other.server.inject({ url: '/auth/me', headers })).statusCode, 401)
  assert.equal((await post('/auth/refresh', { refreshToken: phone.refreshToken }, {})).status, 401)
  assert.equal((await ada.api.delete(`/auth/sessions/${id}`)).status, 404, 'it has ended')
  assert.equal((await ada.api.get('/auth/sessions')).body.data.length, 1)
  const [own] = (await ada.api.get('/auth/sessions')).body.data
  assert.equal((await ada.api.delete(`/auth/sessions/${own.id}`)).status, 200, 'the present one can be ended too')
  assert.equal((await ada.api.get('/auth/sessions')).status, 401)
})

test('another person’s session is 404, also for a colleague, and lives on', async () => {
  const shop = await posthorn.team()
  const [ada, eve] = [await shop.member('owner'), await shop.member('owner')]
  const [theirs] = (await ada.api.get('/auth/sessions')).body.data
  assert.equal((await eve.api.delete(`/auth/sessions/${theirs.id}`)).status, 404)
  assert.ok(!(await eve.api.get('/auth/sessions')).text.includes(theirs.id))
  assert.equal((await ada.api.get('/auth/me')).status, 200)
  assert.equal((await shop.api.get('/auth/sessions')).status, 403, 'API keys have none')
})

test('of two requests that end one session one succeeds', async () => {
  const ada = await person()
  await ada.login(from(office))
  const [{ id }] = (await ada.api.get('/auth/sessions')).body.data
  const answers = await Promise.all([1, 2, 3].map(() => ada.api.delete(`/auth/sessions/${id}`)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404])
})

test('the last use of a session is noted once a minute, outside the request', async () => {
  const ada = await person()
  const began = (await ada.api.get('/auth/sessions')).body.data[0].lastSeenAt
  const stored = async () => {
    await sessionUses.flush(posthorn.app)
    return (
      await posthorn.app.db
        .selectFrom('refresh_tokens')
        .select('last_seen_at')
        .where('user_id', '=', ada.user.id)
        .executeTakeFirstOrThrow()
    ).last_seen_at.toISOString()
  }
  posthorn.clock.advance(59_999)
  await ada.api.get('/auth/me')
  assert.equal(await stored(), began)
  posthorn.clock.advance(1)
  assert.equal((await ada.api.get('/auth/sessions')).body.data[0].lastSeenAt, posthorn.clock.now().toISOString())
  assert.equal(await stored(), posthorn.clock.now().toISOString())
})

test('a sign-in from an unknown network is announced, one from a known network and a sign-up are not', async () => {
  heard.length = 0
  const ada = await person()
  await ada.login(from(home))
  assert.deepEqual(heard, [])
  await ada.login(from(office, 'Chrome'))
  await ada.login(from(office))
  assert.deepEqual(pluckRows(heard, 'teamId', 'data'), [
    [ada.team.id, { userId: ada.user.id, address: office, userAgent: 'Chrome' }],
  ])
  await post('/auth/login', { email: ada.email, password: 'wrong' }, from('203.0.113.9'))
  assert.equal(heard.length, 1, 'a failed one neither')
  posthorn.clock.advance(91 * 24 * 3_600_000)
  await ada.login(from(home))
  assert.equal(heard.length, 2, 'a network is forgotten after 90 days')
})

test('the audit log says who signed in, not who failed to, from where, and which session ended by whom', async () => {
  const ada = await person()
  posthorn.clock.advance(1)
  const phone = await ada.login(from(office))
  posthorn.clock.advance(1)
  assert.equal((await post('/auth/login', { email: ada.email, password: 'wrong' }, from(office))).status, 401)
  await post('/auth/logout', { refreshToken: phone.refreshToken }, from('203.0.113.5'))
  await post('/auth/logout', { refreshToken: phone.refreshToken }, from(office))
  const { body } = await ada.api.get('/v1/audit')
  const entries = body.data.filter(({ action }: { action: string }) => /signed_in|session/.test(action))
  assert.deepEqual(
    entries.map(({ action, actor, address }: { action: string; actor: { id: string }; address: string }) => [
      action,
      actor.id,
      address,
    ]),
    [
      ['session.ended', ada.user.id, '203.0.113.5'],
      ['user.signed_in', ada.user.id, office],
      ['user.signed_in', ada.user.id, home],
    ],
  )
  assert.ok(entries.every(({ requestId }: { requestId: string }) => requestId))
})
