import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp, type TestTeam } from '../../test/app.ts'
import { readRows } from '../../test/pages.ts'
import { pluck } from '../../test/pluck.ts'
import { slowTest } from '../../test/slow.ts'

const posthorn = await sharedTestApp()

async function importRows(team: TestTeam, contacts: object[]): Promise<void> {
  const answer = await team.api.post('/v1/contacts/import', { contacts })
  assert.deepEqual([answer.status, answer.body.created], [200, contacts.length], answer.text.slice(0, 300))
}

/** Reads a list page by page and returns its addresses. */
async function walk(team: TestTeam, query: string, limit = 2): Promise<string[]> {
  return pluck(await readRows(team.api, `/v1/contacts?limit=${limit}&${query}`), 'email')
}

test('pages are newest first and stay stable while contacts are added', async () => {
  const team = await posthorn.team()
  const emails = Array.from({ length: 5 }, (_, n) => `n${n}@example.com`)
  await importRows(
    team,
    emails.map((email) => ({ email })),
  )
  const first = await team.api.get('/v1/contacts?limit=3')
  await importRows(team, [{ email: 'late@example.com' }])
  const second = await team.api.get(`/v1/contacts?limit=3&cursor=${first.body.cursor}`)
  const seen = [...first.body.data, ...second.body.data].map(({ email }) => email)
  assert.deepEqual(seen, emails.toReversed())
  assert.deepEqual(await walk(team, ''), ['late@example.com', ...emails.toReversed()])
})

test('a search finds parts of the address or of either name in any case, and % and _ are ordinary characters', async () => {
  const team = await posthorn.team()
  await importRows(team, [
    { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
    { email: 'grace@Example.com', firstName: 'Grace', lastName: 'Hopper_100%' },
    { email: 'l@other.test', firstName: 'Łukasz', lastName: 'Żak\\' },
  ])
  const expectations: [search: string, emails: string[]][] = [
    ['EXAMPLE', ['grace@Example.com', 'ada@example.com']],
    ['love', ['ada@example.com']],
    ['gRaCe', ['grace@Example.com']],
    ['r_1', ['grace@Example.com']],
    ['_', ['grace@Example.com']],
    ['%', ['grace@Example.com']],
    ['\\', ['l@other.test']],
    ['łuk', ['l@other.test']],
    ['com\nada', []],
    ['com ada', []],
    ['nobody', []],
    ['', ['l@other.test', 'grace@Example.com', 'ada@example.com']],
  ]
  for (const [search, emails] of expectations) {
    assert.deepEqual(await walk(team, `search=${encodeURIComponent(search)}`), emails, search)
  }
})

slowTest('a search finds words of few, many, all or only old contacts in the order of the list', async () => {
  const team = await posthorn.team()
  const other = await posthorn.team()
  const kind = (n: number) => (n < 2100 ? 'old' : n % 1500 === 0 ? 'rare' : 'new')
  const rows = Array.from({ length: 7000 }, (_, n) => ({
    email: `c${String(n).padStart(4, '0')}@${kind(n)}.test`,
    firstName: 'Everybody',
  }))
  await importRows(team, rows)
  await importRows(other, [{ email: 'foreign@rare.test' }])
  const expected = (word: string) =>
    rows
      .map(({ email }) => email)
      .filter((email) => email.includes(word))
      .reverse()
  assert.deepEqual(await walk(team, 'search=@rare'), expected('@rare'))
  assert.deepEqual(await walk(team, 'search=@OLD', 100), expected('@old'))
  assert.deepEqual(await walk(team, 'search=@new', 100), expected('@new'))
  assert.deepEqual(await walk(team, 'search=everybody', 100), expected(''))
  assert.deepEqual(await walk(team, 'search=c69', 100), expected('c69'))
})

test('a cursor is valid for its own list, team and search only', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  for (const { api } of [team, other]) {
    await api.post('/v1/contacts/import', { contacts: [1, 2, 3].map((n) => ({ email: `n${n}@example.com` })) })
  }
  const { cursor } = (await team.api.get('/v1/contacts?limit=1&search=n')).body
  const status = async (api: TestTeam['api'], path: string) => (await api.get(`${path}&cursor=${cursor}`)).status
  assert.equal(await status(team.api, '/v1/contacts?search=n'), 200)
  assert.equal(await status(team.api, '/v1/contacts?search=m'), 400)
  assert.equal(await status(team.api, '/v1/contacts?limit=1'), 400)
  assert.equal(await status(other.api, '/v1/contacts?search=n'), 400)
  assert.equal(await status(team.api, '/v1/suppressions?search=n'), 400)
})
