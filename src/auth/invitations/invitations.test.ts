import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type Api, apiOf, createTestApp, ok, type TestTeam } from '../../../test/app.ts'
import { tokenOfLink } from '../../../test/link-token.ts'
import { pluckRows } from '../../../test/pluck.ts'
import { slowTest } from '../../../test/slow.ts'
import { issueMailedInvitationToken } from './issue.ts'

const posthorn = await createTestApp({ SIGNUP: 'closed' })
const other = await posthorn.another()
const password = 'a long and winding road'
const dayMs = 24 * 3_600_000
let people = 0
const newAddress = () => `Guest${++people}@people.test`

async function ownedTeam(): Promise<{ team: TestTeam; owner: Awaited<ReturnType<TestTeam['member']>> }> {
  const team = await posthorn.team()
  return { team, owner: await team.member('owner') }
}

async function invite(api: Api, email: string, role = 'developer') {
  const body = await ok(api.post('/v1/team/invitations', { email, role }))
  return { id: body.id as string, token: tokenOfLink(body.url), body }
}

const accept = (token: string, fields: object = { name: 'Ada', password }, api: Api = posthorn.anyone) =>
  api.post('/auth/invitations', { token, ...fields })

function assertInvalid({ status, body }: Answer): void {
  assert.deepEqual([status, body.name], [400, 'invalid_token'])
}

test('an invited person without an account makes one, also where sign-up is closed, and is in the team', async () => {
  const { team, owner } = await ownedTeam()
  const email = newAddress()
  const { body, token } = await invite(owner.api, email)
  const createdAt = posthorn.clock.now()
  assert.deepEqual(body, {
    ...{ id: body.id, email, role: 'developer', url: `http://localhost:3000/app/invitation#token=${token}` },
    invitedBy: { userId: owner.userId, name: null, email: owner.email },
    ...{ expiresAt: new Date(createdAt.getTime() + 7 * dayMs).toISOString(), createdAt: createdAt.toISOString() },
  })
  assert.equal(Buffer.from(token, 'base64url').length, 32)
  const terms = { teamName: 'Shop', email, role: 'developer', accountExists: false }
  assert.deepEqual((await posthorn.anyone.get(`/auth/invitations/${token}`)).body, terms)
  const joined = await accept(token)
  assert.deepEqual([joined.status, joined.body.team.id, joined.body.user.name], [200, team.id, 'Ada'], joined.text)
  const me = (await posthorn.as(joined.body.accessToken).get('/auth/me')).body
  assert.deepEqual([me.role, me.team.id, me.user.emailVerified], ['developer', team.id, false])
  assert.equal((await posthorn.anyone.post('/auth/login', { email, password })).status, 200)
  assertInvalid(await accept(token))
  assertInvalid(await posthorn.anyone.get(`/auth/invitations/${token}`))
  assert.deepEqual((await owner.api.get('/v1/team/invitations')).body.data, [])
})

test('a new account needs a password that is not common', async () => {
  const { owner } = await ownedTeam()
  const { token } = await invite(owner.api, newAddress())
  for (const fields of [{}, { name: 'Ada' }, { password: 'short' }, { password: 'password123' }]) {
    assert.equal((await accept(token, fields)).status, 400)
  }
  assert.equal((await accept(token)).status, 200)
})

test('only a mailed link verifies the address of a new account', async () => {
  const { team, owner } = await ownedTeam()
  const { id, token } = await invite(owner.api, newAddress())
  const mailed = await posthorn.app.transaction((tx) => issueMailedInvitationToken(tx, team.id, id))
  assert.notEqual(mailed, token)
  const { body } = await accept(mailed!)
  assert.equal((await posthorn.as(body.accessToken).get('/auth/me')).body.user.emailVerified, true)
  assertInvalid(await accept(token))
  assert.equal(await posthorn.app.transaction((tx) => issueMailedInvitationToken(tx, team.id, id)), null)
})

test('a person with an account accepts while signed in as the invited address, else the invitation stays', async () => {
  const [{ team, owner }, { owner: guest }] = [await ownedTeam(), await ownedTeam()]
  const { token } = await invite(owner.api, guest.email.toUpperCase(), 'marketer')
  assert.equal((await posthorn.anyone.get(`/auth/invitations/${token}`)).body.accountExists, true)
  for (const api of [posthorn.anyone, owner.api, team.api]) {
    assert.equal((await accept(token, {}, api)).status, 403)
    assert.equal((await accept(token, { password }, api)).status, 403)
  }
  assert.equal((await accept(token, {}, posthorn.as('nonsense'))).status, 401)
  const joined = await accept(token, {}, guest.api)
  assert.deepEqual([joined.status, joined.body.team.id], [200, team.id], joined.text)
  assert.equal((await posthorn.as(joined.body.accessToken).get('/auth/me')).body.role, 'marketer')
  assert.equal((await guest.api.get('/auth/me')).body.role, 'owner', 'the session in the first team goes on')
})

test('accepting does not make an old login a fresh one', async () => {
  const [{ owner }, { owner: guest }] = [await ownedTeam(), await ownedTeam()]
  const { token } = await invite(owner.api, guest.email, 'admin')
  await posthorn.app.transaction((tx) =>
    tx.db
      .updateTable('refresh_tokens')
      .set({ confirmed_at: new Date(tx.now.getTime() - dayMs) })
      .where('user_id', '=', guest.userId)
      .execute(),
  )
  const api = posthorn.as((await accept(token, {}, guest.api)).body.accessToken)
  const full = await api.post('/v1/api-keys', { name: 'full', permission: 'full_access' })
  assert.deepEqual([full.status, full.body.name], [403, 'reauthentication_required'])
})

test('a member is not invited, and another invitation of an address replaces the first', async () => {
  const { team, owner } = await ownedTeam()
  const member = await team.member('viewer')
  const again = await owner.api.post('/v1/team/invitations', { email: member.email.toUpperCase(), role: 'admin' })
  assert.deepEqual([again.status, again.body.name], [409, 'conflict'])
  const email = newAddress()
  const [first, second] = [await invite(owner.api, email), await invite(owner.api, email.toLowerCase(), 'viewer')]
  assertInvalid(await accept(first.token))
  const { data } = (await owner.api.get('/v1/team/invitations')).body
  assert.deepEqual(pluckRows(data, 'id', 'role'), [[second.id, 'viewer']])
  assert.equal(JSON.stringify(data).includes('token'), false)
})

test('an admin neither invites an owner nor replaces or revokes the invitation of one', async () => {
  const { team, owner } = await ownedTeam()
  const admin = await team.member('admin')
  const email = newAddress()
  const { id } = await invite(owner.api, email, 'owner')
  const answers = [
    await admin.api.post('/v1/team/invitations', { email: newAddress(), role: 'owner' }),
    await admin.api.post('/v1/team/invitations', { email, role: 'viewer' }),
    await admin.api.delete(`/v1/team/invitations/${id}`),
  ]
  for (const { status, body } of answers) assert.deepEqual([status, body.name], [403, 'forbidden'])
  const revoked = await owner.api.delete(`/v1/team/invitations/${id}`)
  assert.deepEqual([revoked.status, revoked.body], [200, { id, deleted: true }])
  assert.equal((await owner.api.delete(`/v1/team/invitations/${id}`)).status, 404)
})

test('an invitation ends when it is revoked, after 7 days, and when its inviter leaves or is lowered', async () => {
  const { team, owner } = await ownedTeam()
  const ends: ((id: string, inviter: string) => Promise<unknown>)[] = [
    (id) => owner.api.delete(`/v1/team/invitations/${id}`),
    (_, inviter) => owner.api.patch(`/v1/team/members/${inviter}`, { role: 'developer' }),
    (_, inviter) => owner.api.delete(`/v1/team/members/${inviter}`),
  ]
  for (const end of ends) {
    const admin = await team.member('admin')
    const { id, token } = await invite(admin.api, newAddress())
    await end(id, admin.userId)
    assertInvalid(await accept(token))
  }
  const late = await posthorn.team()
  const { token } = await invite((await late.member('owner')).api, newAddress())
  posthorn.clock.advance(7 * dayMs)
  assertInvalid(await accept(token))
  assertInvalid(await posthorn.anyone.get(`/auth/invitations/${token}`))
})

test('an expired invitation takes no place of the plan, and an admin may invite its address anew', async () => {
  const bounded = await posthorn.team({ limits: { members: 3 } })
  const email = newAddress()
  await invite((await bounded.member('owner')).api, email, 'owner')
  posthorn.clock.advance(7 * dayMs)
  const admin = await bounded.member('admin')
  const { id } = await invite(admin.api, newAddress())
  assert.equal((await admin.api.delete(`/v1/team/invitations/${id}`)).status, 200)
  await invite(admin.api, email)
})

test('an owner who becomes an admin keeps the invitations that an admin may make', async () => {
  const { team, owner } = await ownedTeam()
  const second = await team.member('owner')
  const [greater, lesser] = [
    await invite(second.api, newAddress(), 'owner'),
    await invite(second.api, newAddress(), 'admin'),
  ]
  await owner.api.patch(`/v1/team/members/${second.userId}`, { role: 'admin' })
  assertInvalid(await accept(greater.token))
  assert.equal((await accept(lesser.token)).status, 200)
})

test('of requests that accept at the same moment one joins', async () => {
  const [{ team, owner }, { owner: guest }] = [await ownedTeam(), await ownedTeam()]
  const [fresh, known] = [await invite(owner.api, newAddress()), await invite(owner.api, guest.email)]
  const apis = [posthorn, other, posthorn, other].map((running) => apiOf(running, null))
  const answers = await Promise.all(apis.map((api) => accept(fresh.token, { password }, api)))
  const signedIn = [posthorn, other, posthorn].map((running) => apiOf(running, guest.token))
  const again = await Promise.all(signedIn.map((api) => accept(known.token, {}, api)))
  for (const all of [answers, again]) {
    assert.equal(all.filter(({ status }) => status === 200).length, 1)
    for (const { status, text } of all) assert.ok([200, 400, 403, 409].includes(status), text)
  }
  assert.equal((await owner.api.get('/v1/team/members')).body.data.length, 3, team.id)
})

test('an invitation that is accepted as it is revoked, or as its inviter is removed, is one or the other', async () => {
  for (let round = 0; round < 6; round++) {
    const { team, owner } = await ownedTeam()
    const admin = await team.member('admin')
    const { id, token } = await invite(admin.api, newAddress())
    const end =
      round % 2
        ? owner.api.delete(`/v1/team/invitations/${id}`)
        : apiOf(other, owner.token).delete(`/v1/team/members/${admin.userId}`)
    const [accepted, ended] = await Promise.all([accept(token), end])
    assert.ok([200, 400].includes(accepted.status), accepted.text)
    assert.ok([200, 404].includes(ended.status), ended.text)
    const members = (await owner.api.get('/v1/team/members')).body.data.length
    assert.equal(members, (round % 2 ? 2 : 1) + (accepted.status === 200 ? 1 : 0))
    assert.deepEqual((await owner.api.get('/v1/team/invitations')).body.data, [])
  }
})

test('an accepted invitation does not bring back a member who has left, and a new one does', async () => {
  const [{ team, owner }, { owner: guest }] = [await ownedTeam(), await ownedTeam()]
  const { token } = await invite(owner.api, guest.email)
  const joined = await accept(token, {}, guest.api)
  assert.deepEqual([joined.status, joined.body.team.id], [200, team.id], joined.text)
  const { api } = await team.member('admin')
  assert.equal((await api.delete(`/v1/team/members/${guest.userId}`)).status, 200)
  const again = await posthorn.anyone.post('/auth/invitations', { token, name: 'Ada', password })
  assertInvalid(again)
  assertInvalid(await accept(token, {}, guest.api))
  const members = (await owner.api.get('/v1/team/members')).body.data
  assert.ok(!members.some(({ userId }: { userId: string }) => userId === guest.userId))
})

test('invitations count as members of the plan', async () => {
  const bounded = await posthorn.team({ limits: { members: 3 } })
  const owner = await bounded.member('owner')
  const { token } = await invite(owner.api, newAddress())
  await invite(owner.api, newAddress())
  const refused = await owner.api.post('/v1/team/invitations', { email: newAddress(), role: 'viewer' })
  assert.deepEqual([refused.status, refused.body.name, refused.body.max], [422, 'plan_limit_exceeded', 3])
  assert.equal((await accept(token)).status, 200)
})

slowTest('a team sends 100 invitations an hour, also when it replaces them', async () => {
  const { owner } = await ownedTeam()
  const email = newAddress()
  for (let count = 0; count < 100; count++) await invite(owner.api, email)
  const { status, body, headers } = await owner.api.post('/v1/team/invitations', { email, role: 'viewer' })
  assert.deepEqual([status, body.name, headers['retry-after']], [429, 'rate_limit_exceeded', '3600'])
})

test('another team’s invitation is 404', async () => {
  const [{ owner }, { owner: stranger }] = [await ownedTeam(), await ownedTeam()]
  const { id, token } = await invite(owner.api, newAddress())
  assert.equal((await stranger.api.delete(`/v1/team/invitations/${id}`)).status, 404)
  assert.equal((await accept(token)).status, 200)
})
