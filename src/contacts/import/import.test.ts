import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { slowTest } from '../../../test/slow.ts'

const posthorn = await createTestApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

const importRows = (team: TestTeam, contacts: unknown[], rest: object = {}) =>
  team.api.post('/v1/contacts/import', { contacts, ...rest })

async function find(team: TestTeam, email: string) {
  const { data } = (await team.api.get(`/v1/contacts?search=${encodeURIComponent(email)}`)).body
  assert.equal(data.length, 1, `one contact ${email}`)
  return data[0]
}

const counts = ({ body: { created, updated, skipped } }: { body: Record<string, unknown> }) => [
  created,
  updated,
  skipped,
]

test('rows create and update contacts, and fields a row leaves out stay as they are', async () => {
  const team = await posthorn.team()
  const full = { email: 'Ada@example.com', firstName: 'Ada', lastName: 'L', phoneNumber: '+447700900123' }
  const first = await importRows(team, [full, { email: 'bob@example.com', unsubscribed: true }])
  assert.deepEqual([first.status, first.body], [200, { created: 2, updated: 0, skipped: 0, errors: [] }])
  const before = await find(team, 'ada@')
  assert.deepEqual({ ...before, ...full }, before)
  assert.equal((await find(team, 'bob')).unsubscribed, true)
  await team.api.patch(`/v1/contacts/${before.id}`, { properties: { a: 1 } })
  posthorn.clock.advance(1000)
  const rows = [
    { email: 'ADA@EXAMPLE.COM', lastName: 'Lovelace' },
    { email: 'carol@example.com' },
    { email: 'bob@example.com' },
  ]
  assert.deepEqual((await importRows(team, rows)).body, { created: 1, updated: 1, skipped: 1, errors: [] })
  const updatedAt = posthorn.clock.now().toISOString()
  assert.deepEqual(await find(team, 'ada@'), { ...before, lastName: 'Lovelace', properties: { a: 1 }, updatedAt })
  assert.deepEqual(counts(await importRows(team, rows)), [0, 0, 3])
  const cleared = [{ email: 'ada@example.com', firstName: '', lastName: null, phoneNumber: '' }]
  assert.deepEqual(counts(await importRows(team, cleared)), [0, 1, 0])
  const { firstName, lastName, phoneNumber } = await find(team, 'ada@')
  assert.deepEqual([firstName, lastName, phoneNumber], [null, null, null])
})

test('an import with a key that is repeated or sent twice at once is done once, with one answer', async () => {
  const team = await posthorn.team()
  const headers = { 'idempotency-key': 'page-1' }
  const contacts = [{ email: 'ada@example.com' }, { email: 'not an address' }, { email: 'bob@example.com' }]
  const send = (rows: unknown[]) => team.api.post('/v1/contacts/import', { contacts: rows }, headers)
  const answers = await Promise.all([send(contacts), send(contacts)])
  answers.push(await send(contacts))
  for (const answer of answers) assert.deepEqual([answer.status, ...counts(answer)], [200, 2, 0, 1])
  for (const { body } of answers) assert.deepEqual(body.errors, answers[0]!.body.errors)
  const other = await send([{ email: 'eve@example.com' }])
  assert.deepEqual([other.status, other.body.name], [409, 'idempotency_key_reused'])
  assert.deepEqual(counts(await importRows(team, contacts)), [0, 0, 3])
  const refused = { contacts, segmentId: unknownId }
  const unused = { 'idempotency-key': 'page-2' }
  assert.equal((await team.api.post('/v1/contacts/import', refused, unused)).status, 400)
  assert.equal((await team.api.post('/v1/contacts/import', { contacts }, unused)).status, 200)
})

test('an invalid row is reported and skipped, and the others are imported', async () => {
  const team = await posthorn.team()
  const answer = await importRows(team, [
    { email: 'good@example.com' },
    { email: 'not an address' },
    { firstName: 'Nobody' },
    { email: 5 },
    { email: 'b@example.com', phoneNumber: '0123', firstName: 7 },
    { email: 'c@example.com', unsubscribed: 'yes' },
    { email: 'd@example.com', lastName: 'a\nb' },
    { email: `${'x'.repeat(400)}@example.com` },
    { email: 'also@example.com' },
  ])
  assert.equal(answer.status, 200)
  assert.deepEqual(counts(answer), [2, 0, 7])
  const told = answer.body.errors.map(({ index, email, message }: Record<string, string>) => [
    index,
    email,
    message!.split(':')[0],
  ])
  assert.deepEqual(told, [
    [1, 'not an address', 'email'],
    [2, null, 'email'],
    [3, null, 'email'],
    [4, 'b@example.com', 'phoneNumber'],
    [5, 'c@example.com', 'unsubscribed'],
    [6, 'd@example.com', 'lastName'],
    [7, 'x'.repeat(320), 'email'],
  ])
  assert.match(answer.body.errors[3].message, /phoneNumber: .*; firstName: /)
})

test('the last valid row of an address counts, once', async () => {
  const team = await posthorn.team()
  const answer = await importRows(team, [
    { email: 'ada@example.com', firstName: 'First', lastName: 'Dropped' },
    { email: 'bob@example.com' },
    { email: 'ADA@example.com', firstName: 'Last' },
    { email: 'Ada@example.com', phoneNumber: 'bad' },
  ])
  assert.deepEqual(counts(answer), [2, 0, 1])
  const { email, firstName, lastName } = await find(team, 'ada')
  assert.deepEqual([email, firstName, lastName], ['ADA@example.com', 'Last', null])
  const { data } = (await team.api.get('/v1/contacts')).body
  assert.deepEqual(pluck(data, 'email'), ['ADA@example.com', 'bob@example.com'])
})

test('an import unsubscribes, and never resubscribes', async () => {
  const team = await posthorn.team()
  await importRows(team, [{ email: 'ada@example.com' }])
  assert.deepEqual(counts(await importRows(team, [{ email: 'ada@example.com', unsubscribed: true }])), [0, 1, 0])
  const again = await importRows(team, [{ email: 'ada@example.com', unsubscribed: false, firstName: 'Ada' }])
  assert.deepEqual(counts(again), [0, 1, 0])
  assert.deepEqual(counts(await importRows(team, [{ email: 'ada@example.com', unsubscribed: false }])), [0, 0, 1])
  assert.equal((await find(team, 'ada')).unsubscribed, true)
})

test('an opt-out in any row of a call counts, also if a later row of the contact does not say it', async () => {
  const team = await posthorn.team()
  await importRows(team, [{ email: 'known@example.com' }])
  const rows = ['known', 'new'].flatMap((name) => [
    { email: `${name}@example.com`, unsubscribed: true },
    { email: `${name.toUpperCase()}@example.com`, firstName: 'Ada' },
    { email: `${name}@example.com`, firstName: 'Grace', unsubscribed: false },
  ])
  assert.deepEqual(counts(await importRows(team, rows)), [1, 1, 0])
  for (const name of ['known', 'new']) {
    const { firstName, unsubscribed } = await find(team, name)
    assert.deepEqual([firstName, unsubscribed], ['Grace', true], name)
  }
})

test('every contact of an import joins its segment, including those that it does not change otherwise', async () => {
  const team = await posthorn.team()
  const segmentId = (await team.api.post('/v1/segments', { name: 'Readers' })).body.id
  await importRows(team, [{ email: 'known@example.com' }, { email: 'changed@example.com' }])
  const rows = [
    { email: 'known@example.com' },
    { email: 'changed@example.com', firstName: 'C' },
    { email: 'new@example.com' },
    { email: 'bad' },
  ]
  assert.deepEqual(counts(await importRows(team, rows, { segmentId })), [1, 2, 1])
  assert.deepEqual(counts(await importRows(team, rows, { segmentId })), [0, 0, 4])
  assert.equal((await team.api.get(`/v1/segments/${segmentId}`)).body.contactCount, 3)
  assert.deepEqual((await find(team, 'known')).segments, [{ segmentId, name: 'Readers' }])
})

test('a request of the wrong shape is refused as a whole', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const foreign = (await other.api.post('/v1/segments', { name: 'Readers' })).body.id
  const good = { email: 'ada@example.com' }
  const bad: [path: string, body: object][] = [
    ['contacts', {}],
    ['contacts', { contacts: good }],
    ['contacts', { contacts: Array.from({ length: 10_001 }, (_, n) => ({ email: `n${n}@example.com` })) }],
    ['contacts[1]', { contacts: [good, 'bob@example.com'] }],
    ['contacts[1].frstName', { contacts: [good, { email: 'b@example.com', frstName: 'B' }] }],
    ['segmentId', { contacts: [good], segmentId: 'x' }],
    ['segmentId', { contacts: [good], segmentId: unknownId }],
    ['segmentId', { contacts: [good], segmentId: foreign }],
    ['segment', { contacts: [good], segment: 'x' }],
  ]
  for (const [path, body] of bad) {
    const answer = await team.api.post('/v1/contacts/import', body)
    assert.deepEqual([answer.status, answer.body.errors?.[0].path], [400, path])
  }
  assert.deepEqual((await team.api.get('/v1/contacts')).body.data, [])
  assert.deepEqual((await importRows(team, [])).body, { created: 0, updated: 0, skipped: 0, errors: [] })
  assert.equal((await importRows(team, [{ email: 'x'.repeat(11 * 1024 * 1024) }])).status, 413)
})

slowTest('one call imports ten thousand rows', async () => {
  const team = await posthorn.team()
  const rows = Array.from({ length: 10_000 }, (_, n) => ({
    email: `reader${n}@example.com`,
    firstName: `N${n}`,
    lastName: 'Reader',
  }))
  assert.deepEqual(counts(await importRows(team, rows)), [10_000, 0, 0])
  assert.deepEqual(
    counts(
      await importRows(
        team,
        rows.map((row, n) => (n % 2 ? row : { ...row, firstName: 'Even' })),
      ),
    ),
    [0, 5000, 5000],
  )
  assert.equal((await find(team, 'reader9998@')).firstName, 'Even')
})

test('simultaneous imports of the same contacts count each creation once, also during changes and deletions', async () => {
  const team = await posthorn.team()
  const segmentId = (await team.api.post('/v1/segments', { name: 'Readers' })).body.id
  const rows = Array.from({ length: 300 }, (_, n) => ({ email: `n${n}@example.com` }))
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => {
      const own = rows.map((row, n) => (n % 6 === index ? { ...row, firstName: `By ${index}` } : row))
      return importRows(team, index % 2 ? own : own.toReversed(), { segmentId })
    }),
  )
  assert.deepEqual(pluck(answers, 'status'), Array(6).fill(200))
  for (const answer of answers)
    assert.equal(
      counts(answer).reduce((sum: number, n) => sum + Number(n), 0),
      300,
    )
  assert.equal(
    answers.reduce((sum, { body }) => sum + body.created, 0),
    300,
  )
  assert.equal((await team.api.get(`/v1/segments/${segmentId}`)).body.contactCount, 300)
  const { data } = (await team.api.get('/v1/contacts?limit=20')).body
  const [racing] = await Promise.all([
    importRows(
      team,
      rows.map((row) => ({ ...row, lastName: 'Reader' })),
      { segmentId },
    ),
    ...data.map(({ id }: { id: string }, n: number) =>
      n % 2 ? team.api.delete(`/v1/contacts/${id}`) : team.api.patch(`/v1/contacts/${id}`, { unsubscribed: true }),
    ),
  ])
  assert.equal(racing.status, 200)
  const segment = (await team.api.get(`/v1/segments/${segmentId}`)).body
  assert.deepEqual([segment.contactCount > 289, segment.unsubscribedCount], [true, 10])
})
