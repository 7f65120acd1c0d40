import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { apiOf, createTestApp } from '../../../test/app.ts'
import { password, signUp } from '../../../test/person.ts'
import { pluck } from '../../../test/pluck.ts'

const posthorn = await createTestApp()
const other = await posthorn.another()
const { anyone } = posthorn
const { db } = posthorn.app

const signup = () => signUp(posthorn)

async function joinTeam(teamId: string, userId: string, role: 'owner' | 'admin' | 'viewer') {
  const row = { team_id: teamId, user_id: userId, role, created_at: posthorn.clock.now() }
  await db.insertInto('team_members').values(row).execute()
}

/** The tables with rows of a person. */
async function tablesOf(userId: string): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and column_name in ('user_id', 'invited_by')
  `.execute(db)
  const found = await Promise.all(
    rows.map(async ({ table, column }) => {
      const { rows } =
        await sql`select from ${sql.table(table)} where ${sql.ref(column)}::text = ${userId} limit 1`.execute(db)
      return rows.length > 0 ? [table] : []
    }),
  )
  return found.flat()
}

test('a person who owns no team alone deletes the account; everything of it ends, and the audit log keeps the name', async () => {
  const [ada, grace] = [await signup(), await signup()]
  await joinTeam(ada.team.id, grace.user.id, 'owner')
  const { body: key } = await ada.api.post('/v1/api-keys', { name: 'Shop' })
  await ada.api.post('/v1/team/invitations', { email: 'guest@example.com', role: 'viewer' })
  await ada.api.post('/auth/2fa/setup')
  const { status, body } = await ada.api.delete('/auth/me')
  assert.deepEqual([status, body], [200, { id: ada.user.id, deleted: true }])
  assert.equal((await apiOf(other, ada.accessToken).get('/auth/me')).status, 401)
  assert.equal((await anyone.post('/auth/refresh', { refreshToken: ada.refreshToken })).status, 401)
  assert.equal((await anyone.post('/auth/login', { email: ada.email, password })).status, 401)
  assert.deepEqual(await tablesOf(ada.user.id), [])
  assert.equal((await posthorn.as(key.key).get('/v1/rate-limits')).status, 200, 'keys belong to the team')
  const switched = await grace.api.post('/auth/switch', { teamId: ada.team.id })
  const api = posthorn.as(switched.body.accessToken)
  const entries = (await api.get('/v1/audit?limit=3')).body.data
  assert.deepEqual(
    entries.map(({ action, actor, target }: Record<string, { name: string }>) => [action, actor?.name, target?.name]),
    [
      ['user.deleted', ada.email, ada.email],
      ['member.left', ada.email, ada.email],
      ['invitation.created', ada.email, 'guest@example.com'],
    ],
  )
  assert.deepEqual((await api.get('/v1/team/members')).body.data.length, 1)
  assert.equal((await anyone.post('/auth/signup', { email: ada.email, password })).status, 200, 'the address is free')
})

test('an account that alone owns teams is refused with their names, until they are handed over or deleted', async () => {
  const [ada, grace] = [await signup(), await signup()]
  const { body: second } = await ada.api.post('/auth/teams', { name: 'Engines' })
  await joinTeam(second.id, grace.user.id, 'admin')
  const refused = await ada.api.delete('/auth/me')
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
  assert.match(refused.body.message, /only owner of "person\d+'s team" and "Engines"/)
  const named = [
    { id: ada.team.id, name: ada.team.name, otherMembers: 0 },
    { id: second.id, name: 'Engines', otherMembers: 1 },
  ]
  assert.deepEqual(refused.body.teams, named)
  const still = await ada.api.delete('/auth/me', { deleteTeams: true })
  assert.deepEqual([still.status, still.body.teams], [409, [named[1]]], 'a team with other members is not deleted')
  assert.equal((await ada.api.get('/auth/me')).status, 200)
  await db.updateTable('team_members').set({ role: 'owner' }).where('user_id', '=', grace.user.id).execute()
  assert.deepEqual((await ada.api.delete('/auth/me')).body.teams, [named[0]])
  assert.equal((await ada.api.delete('/auth/me', { deleteTeams: true })).status, 200)
  const teams = await db
    .selectFrom('teams')
    .select(['id', 'deleted_at'])
    .where('id', 'in', [ada.team.id, second.id])
    .execute()
  const deleted = teams.filter(({ deleted_at }) => deleted_at !== null)
  assert.deepEqual(pluck(deleted, 'id'), [ada.team.id])
  assert.equal((await ada.api.delete('/auth/me', { deleteTeams: 'yes' })).status, 401)
})

test('a team with a paid subscription keeps its only owner', async () => {
  const ada = await signup()
  await db
    .insertInto('payment_accounts')
    .values({ team_id: ada.team.id, provider: 'sandbox', customer_id: 'c', subscription_id: 's' } as never)
    .execute()
  const { status, body } = await ada.api.delete('/auth/me', { deleteTeams: true })
  assert.deepEqual([status, /paid subscription/.test(body.message)], [409, true], body.message)
  assert.equal((await ada.api.get('/auth/me')).status, 200)
})

test('of two owners who delete their accounts at the same moment one stays', async () => {
  for (let turn = 0; turn < 3; turn++) {
    const [ada, grace] = [await signup(), await signup()]
    await joinTeam(ada.team.id, grace.user.id, 'owner')
    await db.deleteFrom('team_members').where('team_id', '=', grace.team.id).execute()
    const login = await anyone.post('/auth/login', { email: grace.email, password })
    const answers = await Promise.all([
      ada.api.delete('/auth/me'),
      apiOf(other, login.body.accessToken).delete('/auth/me'),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  }
})

test('a team made while the account is deleted has its owner, or is not made', async () => {
  const ada = await signup()
  const [deleted, made] = await Promise.all([
    ada.api.delete('/auth/me', { deleteTeams: true }),
    apiOf(other, ada.accessToken).post('/auth/teams', { name: 'Engines' }),
  ])
  assert.ok([200, 409].includes(deleted.status), deleted.text)
  assert.ok([200, 401, 404].includes(made.status), made.text)
  const { rows } = await sql`
    select from teams where deleted_at is null and test_of is null and name = 'Engines' and id = ${made.body.id ?? null}
      and not exists (select from team_members where team_id = teams.id)
  `.execute(db)
  assert.deepEqual(rows, [])
})
