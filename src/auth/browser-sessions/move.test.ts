import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../../test/app.ts'
import { tokenOfLink } from '../../../test/link-token.ts'
import { browsersOf, cookieOf } from './fixtures/browser.ts'

const posthorn = await sharedTestApp()
const { browser } = browsersOf(posthorn)

test('a browser session changes teams by its cookie, which stays, and no token is handed to the page', async () => {
  const { ask, accessToken, cookie, team } = await browser()
  const { body: second } = await ask('POST', '/auth/teams', { name: 'Engines' })
  const switched = await ask('POST', '/auth/switch', { teamId: second.id })
  assert.equal(switched.status, 200, JSON.stringify(switched.body))
  assert.deepEqual(switched.body, (await ask('GET', '/auth/me')).body)
  assert.deepEqual([switched.body.team.id, switched.body.role], [second.id, 'owner'])
  assert.equal(cookieOf(switched.setCookie), cookie)
  assert.equal((await ask('GET', '/v1/team')).body.id, second.id)
  assert.equal((await ask('POST', '/auth/switch', { teamId: team.id })).body.team.id, team.id)
  const byToken = await posthorn.as(accessToken).post('/auth/switch', { teamId: second.id })
  assert.equal(byToken.status, 409, 'its former access token brings no refresh token back')
  assert.equal((await ask('GET', '/v1/team')).body.id, team.id)
})

test('a browser session is not moved to another’s team, nor by another page', async () => {
  const [ada, eve] = [await browser(), await browser()]
  assert.equal((await ada.ask('POST', '/auth/switch', { teamId: eve.team.id })).status, 404)
  const { body: own } = await ada.ask('POST', '/auth/teams', { name: 'Engines' })
  const foreign = await ada.ask('POST', '/auth/switch', { teamId: own.id }, { origin: 'http://evil.example' })
  assert.equal(foreign.status, 403)
  assert.equal((await ada.ask('GET', '/auth/me')).body.team.id, ada.team.id)
})

test('an invitation accepted by a cookie moves the browser session to the team, without tokens', async () => {
  const guest = await browser()
  const owner = await (await posthorn.team()).member('owner')
  const invitation = await owner.api.post('/v1/team/invitations', { email: guest.user.email, role: 'viewer' })
  const token = tokenOfLink(invitation.body.url)
  const joined = await guest.ask('POST', '/auth/invitations', { token })
  assert.equal(joined.status, 200, JSON.stringify(joined.body))
  const me = (await guest.ask('GET', '/auth/me')).body
  assert.deepEqual([joined.body, me.role], [me, 'viewer'])
  assert.notEqual(me.team.id, guest.team.id)
})
