import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import { turnOnTwoFactor } from '../../test/person.ts'

const posthorn = await createTestApp()

test('members without a second factor can only set one up', async () => {
  const team = await posthorn.team()
  const [owner, viewer] = [await team.member('owner'), await team.member('viewer')]
  await turnOnTwoFactor(posthorn, owner.api)
  const required = await owner.api.patch('/v1/team', { requireTwoFactor: true })
  assert.deepEqual([required.status, required.body.requireTwoFactor], [200, true], required.text)
  for (const path of ['/v1/team', '/v1/contacts', '/v1/team/members']) {
    const { status, body } = await viewer.api.get(path)
    assert.deepEqual([status, body.name], [403, 'two_factor_setup_required'])
  }
  assert.equal((await viewer.api.get('/auth/me')).status, 200)
  assert.equal((await viewer.api.get('/auth/2fa/status')).status, 200)
  await turnOnTwoFactor(posthorn, viewer.api)
  assert.equal((await viewer.api.get('/v1/contacts')).status, 200)
  assert.equal((await team.api.get('/v1/contacts')).status, 200, 'keys are not affected')
})

test('who has no second factor cannot require one', async () => {
  const team = await posthorn.team()
  const owner = await team.member('owner')
  const { status, body } = await owner.api.patch('/v1/team', { requireTwoFactor: true })
  assert.deepEqual([status, body.name], [409, 'conflict'])
  assert.equal((await owner.api.get('/v1/team')).body.requireTwoFactor, false)
  assert.equal((await owner.api.patch('/v1/team', { requireTwoFactor: false })).status, 200)
})

test('a team is renamed by owners and admins, and the audit log has the names', async () => {
  const team = await posthorn.team()
  const admin = await team.member('admin')
  const renamed = await admin.api.patch('/v1/team', { name: 'Engines' })
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'Engines'])
  const { db } = posthorn.app
  const entries = await db
    .selectFrom('audit_entries')
    .select(['action', 'actor_id', 'changes'])
    .where('team_id', '=', team.id)
    .where('action', 'like', 'team.%')
    .execute()
  const changes = { name: { from: 'Shop', to: 'Engines' } }
  assert.deepEqual(entries, [{ action: 'team.updated', actor_id: admin.userId, changes }])
  for (const name of ['', 'x'.repeat(101), 5, null])
    assert.equal((await admin.api.patch('/v1/team', { name })).status, 400)
  assert.equal((await admin.api.patch('/v1/team', {})).status, 400)
})
