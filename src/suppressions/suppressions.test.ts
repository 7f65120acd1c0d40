import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import { findSuppressed } from './queries.ts'
import { suppressAddresses } from './suppress.ts'

const posthorn = await createTestApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

const add = (team: TestTeam, email: string) => team.api.post('/v1/suppressions', { email })
const emails = (answer: { body: { data: { email: string }[] } }) => answer.body.data.map(({ email }) => email)

test('an address blocked by hand reads back as given', async () => {
  const team = await posthorn.team()
  const added = await add(team, 'Ada@Example.com')
  assert.equal(added.status, 200)
  const { id, ...rest } = added.body
  assert.deepEqual(rest, { email: 'Ada@Example.com', reason: 'manual', createdAt: posthorn.clock.now().toISOString() })
  assert.deepEqual((await team.api.get(`/v1/suppressions/${id}`)).body, added.body)
})

test('blocking an address again answers with the existing entry, regardless of case', async () => {
  const team = await posthorn.team()
  const first = await add(team, 'Ada@Example.com')
  posthorn.clock.advance(1000)
  for (const email of ['Ada@Example.com', 'ada@example.com', 'ADA@EXAMPLE.COM']) {
    const again = await add(team, email)
    assert.deepEqual([again.status, again.body], [200, first.body])
  }
  const unicode = await add(team, 'ada@münchen.example')
  assert.deepEqual((await add(team, 'ADA@xn--mnchen-3ya.example')).body, unicode.body)
  assert.equal((await team.api.get('/v1/suppressions')).body.data.length, 2)
})

test('racing requests for one address all answer with the same entry', async () => {
  const team = await posthorn.team()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => add(team, index % 2 ? 'a@b.test' : 'A@B.test')),
  )
  assert.equal(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size, 1)
})

test('no email is sent to a blocked address, and after unblocking it is', async () => {
  const team = await posthorn.team()
  const { id } = (await add(team, 'Ada@Example.com')).body
  const email = { from: `a@${team.domain}`, to: ['Ada <ada@example.COM>', 'bob@example.com'], subject: 'x', text: 'x' }
  const refused = await team.api.post('/v1/emails', email)
  assert.deepEqual([refused.status, refused.body.name], [422, 'recipient_suppressed'])
  assert.deepEqual((await team.api.delete(`/v1/suppressions/${id}`)).body, { id, deleted: true })
  assert.equal((await team.api.post('/v1/emails', email)).status, 200)
  assert.equal((await team.api.get(`/v1/suppressions/${id}`)).status, 404)
  assert.equal((await team.api.delete(`/v1/suppressions/${id}`)).status, 404)
})

test('pages are newest first and stay stable while entries are added', async () => {
  const team = await posthorn.team()
  for (let n = 0; n < 5; n++) await add(team, `n${n}@example.com`)
  const first = await team.api.get('/v1/suppressions?limit=2')
  assert.deepEqual([emails(first), first.body.hasMore], [['n4@example.com', 'n3@example.com'], true])
  await add(team, 'late@example.com')
  const second = await team.api.get(`/v1/suppressions?limit=2&cursor=${first.body.cursor}`)
  assert.deepEqual(emails(second), ['n2@example.com', 'n1@example.com'])
  const last = await team.api.get(`/v1/suppressions?limit=2&cursor=${second.body.cursor}`)
  assert.deepEqual([emails(last), last.body.hasMore, last.body.cursor], [['n0@example.com'], false, null])
})

test('a search finds parts of the address in any case, % and _ are ordinary characters, and a reason narrows it', async () => {
  const team = await posthorn.team()
  const { app } = posthorn
  for (const email of ['a_b@example.com', 'axb@example.com', 'a%b@example.com']) await add(team, email)
  await app.transaction((tx) =>
    suppressAddresses(tx, [{ teamId: team.id, email: 'Axb@bounced.test', reason: 'bounce' }]),
  )
  const search = async (query: string) => emails(await team.api.get(`/v1/suppressions?${query}`)).sort()
  assert.deepEqual(await search('search=A_B'), ['a_b@example.com'])
  assert.deepEqual(await search('search=a%25b'), ['a%b@example.com'])
  assert.deepEqual(await search('search=AXB'), ['Axb@bounced.test', 'axb@example.com'])
  assert.deepEqual(await search('search=axb&reason=bounce'), ['Axb@bounced.test'])
  assert.deepEqual(await search('reason=complaint'), [])
  assert.equal((await search('search=')).length, 4)
})

test('a cursor is valid for its own list, team and filters only', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  for (let n = 0; n < 3; n++) await add(team, `n${n}@example.com`)
  const { cursor } = (await team.api.get('/v1/suppressions?limit=1&search=n')).body
  const status = async (api: TestTeam['api'], query: string) =>
    (await api.get(`/v1/suppressions?limit=1&${query}`)).status
  assert.equal(await status(team.api, `search=n&cursor=${cursor}`), 200)
  assert.equal(await status(team.api, `cursor=${cursor}`), 400)
  assert.equal(await status(team.api, `search=n&reason=manual&cursor=${cursor}`), 400)
  assert.equal(await status(other.api, `search=n&cursor=${cursor}`), 400)
  assert.equal((await team.api.get(`/v1/inbox?search=n&cursor=${cursor}`)).status, 400)
})

test('an invalid field is refused by name', async () => {
  const team = await posthorn.team()
  for (const email of [
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@localhost',
    'Ada <ada@example.com>',
    'a@b.co, c@d.co',
    'a b@c.co',
    ' a@b.co',
    'a@b.co\r\n',
    'a@1.2.3.4',
    null,
    ['a@b.co'],
  ]) {
    const answer = await team.api.post('/v1/suppressions', { email })
    assert.deepEqual([answer.status, answer.body.errors?.[0].path], [400, 'email'], JSON.stringify(email))
  }
  assert.equal((await team.api.post('/v1/suppressions', { email: 'a@b.co', reason: 'bounce' })).status, 400)
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'reason=spam', 'email=a', 'cursor=x']) {
    assert.equal((await team.api.get(`/v1/suppressions?${query}`)).status, 400, query)
  }
})

test("another team's entry is answered like one that does not exist, and blocks no address of this team", async () => {
  const [ours, theirs] = [await posthorn.team(), await posthorn.team()]
  const { id } = (await add(theirs, 'ada@example.com')).body
  const strange = await ours.api.get(`/v1/suppressions/${id}`)
  assert.equal(strange.status, 404)
  assert.deepEqual(strange.body, (await ours.api.get(`/v1/suppressions/${unknownId}`)).body)
  assert.equal((await ours.api.delete(`/v1/suppressions/${id}`)).status, 404)
  const email = { from: `a@${ours.domain}`, to: ['ada@example.com'], subject: 'x', text: 'x' }
  assert.equal((await ours.api.post('/v1/emails', email)).status, 200)
  assert.notEqual((await add(ours, 'ada@example.com')).body.id, id)
})

test('many addresses of many teams are looked up together', async () => {
  const [one, two] = [await posthorn.team(), await posthorn.team()]
  await add(one, 'Ada@example.com')
  await add(two, 'bob@example.com')
  const pairs = [one, two].flatMap(({ id }) =>
    ['ADA@Example.com', 'bob@example.com', 'eve@example.com'].map((address) => ({ teamId: id, address })),
  )
  const found = await findSuppressed(posthorn.app, pairs)
  assert.deepEqual(found, new Set([`${one.id} ada@example.com`, `${two.id} bob@example.com`]))
  assert.deepEqual(await findSuppressed(posthorn.app, []), new Set())
})

test('blocking keeps the first reason, accepts repeats, and does not deadlock in any order', async () => {
  const team = await posthorn.team()
  const { app } = posthorn
  await add(team, 'n1@example.com')
  const entries = Array.from({ length: 40 }, (_, n) => ({
    teamId: team.id,
    email: `N${n % 20}@example.com`,
    reason: 'bounce' as const,
  }))
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      app.transaction((tx) => suppressAddresses(tx, index % 2 ? entries : entries.toReversed())),
    ),
  )
  const listed = (await team.api.get('/v1/suppressions?limit=100')).body.data as { email: string; reason: string }[]
  assert.equal(listed.length, 20)
  assert.equal(listed.find(({ email }) => email === 'n1@example.com')?.reason, 'manual')
  await app.transaction((tx) => suppressAddresses(tx, []))
})

test('a sending_access key may not use suppressions', async () => {
  const team = await posthorn.team()
  const { api } = await team.newKey()
  assert.equal((await api.get('/v1/suppressions')).status, 403)
  assert.equal((await api.post('/v1/suppressions', { email: 'a@b.co' })).status, 403)
})
