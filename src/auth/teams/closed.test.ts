import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../../test/app.ts'
import { tokenOfLink } from '../../../test/link-token.ts'
import { password, turnOnTwoFactor } from '../../../test/person.ts'
import { pluck } from '../../../test/pluck.ts'

const posthorn = await createTestApp({ SIGNUP: 'closed' })
const { anyone } = posthorn
let people = 0

const teams = async () =>
  Number(
    (
      await posthorn.app.db
        .selectFrom('teams')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

/** Invites a new person to a team, or one with this address, and returns the token of the link. */
async function invite({ member }: TestTeam, email: string, role = 'viewer'): Promise<string> {
  const body = await ok((await member('owner')).api.post('/v1/team/invitations', { email, role }))
  return tokenOfLink(body.url)
}

async function join(team: TestTeam, role = 'viewer') {
  const email = `guest${++people}@people.test`
  const { body } = await anyone.post('/auth/invitations', { token: await invite(team, email, role), password })
  return { email, userId: body.user.id as string, team: body.team, api: posthorn.as(body.accessToken) }
}

type Guest = Awaited<ReturnType<typeof join>>

const login = ({ email }: Guest) => anyone.post('/auth/login', { email, password })

test('where sign-up is closed no member makes a team, and an invitation joins that team alone', async () => {
  const team = await posthorn.team()
  const before = await teams()
  for (const role of ['viewer', 'owner']) {
    const guest = await join(team, role)
    assert.equal(guest.team.id, team.id)
    const { status, body } = await guest.api.post('/auth/teams', { name: 'Mine' })
    assert.deepEqual([status, body.name], [403, 'signup_closed'])
    assert.match(body.message, /posthorn team create/)
    const own = await guest.api.get('/auth/teams')
    assert.deepEqual(pluck(own.body.data, 'id'), [team.id])
  }
  assert.equal(await teams(), before)
})

test('where sign-up is closed a person whose last team is gone gets none by signing in or by a reset of the password', async () => {
  const guest = await join(await posthorn.team())
  assert.equal((await guest.api.delete(`/v1/team/members/${guest.userId}`)).status, 200)
  const before = await teams()
  const { status, body } = await login(guest)
  assert.deepEqual([status, body.name], [403, 'signup_closed'])
  assert.equal((await anyone.post('/auth/login', { email: guest.email, password: 'wrong' })).status, 401)
  await anyone.post('/auth/password/forgot', { email: guest.email })
  await posthorn.runDueJobs()
  assert.equal(await teams(), before)
})

test('a person in no team joins one by the link of an invitation and the password, with the code of two-factor', async () => {
  const [first, second] = [await posthorn.team(), await posthorn.team()]
  const guest = await join(first)
  const { code } = await turnOnTwoFactor(posthorn, guest.api)
  const token = await invite(second, guest.email)
  const accept = (fields: object) => anyone.post('/auth/invitations', { token, ...fields })
  assert.equal((await accept({ password })).status, 403, 'a person in a team is signed in')
  assert.equal((await guest.api.delete(`/v1/team/members/${guest.userId}`)).status, 200)
  const answers = [await accept({}), await accept({ password: 'wrong password' }), await accept({ password })]
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.name]),
    [
      [403, 'authorization_error'],
      [401, 'authentication_error'],
      [401, 'two_factor_required'],
    ],
  )
  const joined = await accept({ password, code: code() })
  assert.deepEqual([joined.status, joined.body.team?.id], [200, second.id], joined.text)
  assert.equal((await posthorn.as(joined.body.accessToken).get('/auth/me')).body.role, 'viewer')
  assert.equal((await accept({ password, code: code() })).body.name, 'invalid_token')
})
