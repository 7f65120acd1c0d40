import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok } from '../../test/app.ts'
import { pluck } from '../../test/pluck.ts'
import { findCredentialSecret } from './queries.ts'

const posthorn = await createTestApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

const secrets = {
  bearer: { token: 'Secret-Token-4711' },
  basic: { username: 'Secret-User-4711', password: 'Secret-Password-4711 ☃' },
  header: { value: 'Secret-Value-4711 with blanks' },
} as const

test('each type of credential is kept, listed newest first and never shows its secret', async () => {
  const team = await posthorn.team()
  const made = []
  for (const [type, secret] of Object.entries(secrets)) {
    const answer = await ok(team.api.post('/v1/credentials', { name: `My ${type}`, type, secret }))
    const { id, ...rest } = answer
    assert.deepEqual(rest, { name: `My ${type}`, type, createdAt: posthorn.clock.now().toISOString() })
    made.unshift(answer)
  }
  const list = await team.api.get('/v1/credentials')
  assert.deepEqual(list.body.data, made)
  assert.doesNotMatch(JSON.stringify([made, list.text]), /4711/)
})

test('secrets are encrypted in the database, and open for the requests they are made for', async () => {
  const team = await posthorn.team()
  for (const [type, secret] of Object.entries(secrets)) {
    const { body } = await team.api.post('/v1/credentials', { name: 'Kept', type, secret })
    assert.deepEqual(await findCredentialSecret(posthorn.app, team.id, body.id), { type, secret, allowedHosts: null })
  }
  const { rows } = await sql<{ row: string }>`select row_to_json(c)::text as row from credentials c`.execute(
    posthorn.app.db,
  )
  assert.ok(rows.length >= 3)
  assert.ok(rows.every(({ row }) => !row.includes('4711')))
})

test('a credential opens for its team only, and no longer than it is there', async () => {
  const [team, stranger] = [await posthorn.team(), await posthorn.team()]
  const fields = { name: 'Mine', type: 'bearer', secret: secrets.bearer }
  const { id } = (await team.api.post('/v1/credentials', fields)).body
  assert.equal(await findCredentialSecret(posthorn.app, stranger.id, id), undefined)
  assert.equal(await findCredentialSecret(posthorn.app, team.id, '{{trigger.body.credential}}'), undefined)
  const deleted = await team.api.delete(`/v1/credentials/${id}`)
  assert.deepEqual([deleted.status, deleted.body], [200, { id, deleted: true }])
  assert.equal(await findCredentialSecret(posthorn.app, team.id, id), undefined)
  assert.deepEqual((await team.api.get('/v1/credentials')).body.data, [])
  assert.equal((await team.api.delete(`/v1/credentials/${id}`)).status, 404)
  assert.equal((await team.api.delete(`/v1/credentials/${unknownId}`)).status, 404)
})

const refused: Record<string, [object, string[]]> = {
  'an unknown type': [{ type: 'oauth', secret: {} }, ['type']],
  'no secret': [{ type: 'bearer' }, ['secret']],
  'a secret that is a text': [{ type: 'bearer', secret: 'x' }, ['secret']],
  'an unknown part': [{ type: 'bearer', secret: { token: 'x', tokn: 'x' } }, ['secret.tokn']],
  'the parts of another type': [
    { type: 'basic', secret: { token: 'x' } },
    ['secret.username', 'secret.password', 'secret.token'],
  ],
  'an empty token': [{ type: 'bearer', secret: { token: '' } }, ['secret.token']],
  'a line break in a token': [{ type: 'bearer', secret: { token: 'x\r\nX-Injected: 1' } }, ['secret.token']],
  'a line break in a header': [{ type: 'header', secret: { value: 'x\ny' } }, ['secret.value']],
  'a line break at the end of a header': [{ type: 'header', secret: { value: 'x\n' } }, ['secret.value']],
  'what no header can carry': [{ type: 'header', secret: { value: 'snow ☃' } }, ['secret.value']],
  'a NUL': [{ type: 'header', secret: { value: 'x\0' } }, ['secret.value']],
  'a colon in a user name': [{ type: 'basic', secret: { username: 'a:b', password: '' } }, ['secret.username']],
  'control characters in a password': [
    { type: 'basic', secret: { username: 'a', password: 'b\r\n' } },
    ['secret.password'],
  ],
  'a header longer than servers take': [{ type: 'header', secret: { value: 'x'.repeat(4097) } }, ['secret.value']],
  'an empty name': [{ name: '', type: 'bearer', secret: { token: 'x' } }, ['name']],
}
for (const [what, [fields, paths]] of Object.entries(refused)) {
  test(`a credential with ${what} is refused, and nothing is kept`, async () => {
    const team = await posthorn.team()
    const answer = await team.api.post('/v1/credentials', { name: 'Bad', ...fields })
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(pluck(answer.body.errors, 'path'), paths)
    assert.deepEqual((await team.api.get('/v1/credentials')).body.data, [])
  })
}

test('a refusal does not repeat the secret', async () => {
  const team = await posthorn.team()
  const secret = { token: 'Secret-Token-4711\r\n', value: 'Secret-Value-4711' }
  const answer = await team.api.post('/v1/credentials', { name: 'Bad', type: 'bearer', secret })
  assert.equal(answer.status, 400)
  assert.doesNotMatch(answer.text, /4711/)
})

test('a team has 1,000 credentials at most', async () => {
  const team = await posthorn.team()
  await sql`
    insert into credentials (team_id, id, name, type, secret, created_at)
    select ${team.id}, gen_random_uuid(), 'Many', 'bearer', '', now() from generate_series(1, 999)
  `.execute(posthorn.app.db)
  const fields = { name: 'Last', type: 'bearer', secret: secrets.bearer }
  assert.equal((await team.api.post('/v1/credentials', fields)).status, 200)
  const refusal = await team.api.post('/v1/credentials', fields)
  assert.deepEqual([refusal.status, refusal.body.name], [409, 'conflict'])
})
