import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp, type TestTeam } from '../../../test/app.ts'
import { pluckRows } from '../../../test/pluck.ts'

const posthorn = await sharedTestApp()

const importRows = async (team: TestTeam, ...contacts: object[]) =>
  (await team.api.post('/v1/contacts/import', { contacts })).body

async function propertiesOf(team: TestTeam) {
  const { data } = (await team.api.get('/v1/contacts')).body
  return data.map(({ properties }: { properties: object }) => properties)
}

test('properties of an import join those of the contact, and what is the same changes nothing', async () => {
  const team = await posthorn.team()
  const email = 'ada@people.test'
  const nested = { city: 'London', tags: { a: 1, b: 2 } }
  assert.equal((await importRows(team, { email, properties: nested })).created, 1)
  assert.deepEqual(await propertiesOf(team), [nested])
  const change = { email, properties: { orders: 3, tags: { a: 1 } } }
  assert.deepEqual(await importRows(team, change), { created: 0, updated: 1, skipped: 0, errors: [] })
  const merged = { city: 'London', orders: 3, tags: { a: 1 } }
  assert.deepEqual(await propertiesOf(team), [merged])
  for (const same of [change, { email }, { email, properties: {} }]) {
    assert.deepEqual(await importRows(team, same), { created: 0, updated: 0, skipped: 1, errors: [] })
  }
  assert.equal((await importRows(team, { email, firstName: 'Ada' })).updated, 1)
  assert.deepEqual(await propertiesOf(team), [merged])
})

test('a row whose properties are no object or too large is an error, also together with those of the contact', async () => {
  const team = await posthorn.team()
  const email = 'ada@people.test'
  await importRows(team, { email, properties: { a: 'x'.repeat(40_000) } })
  const answer = await importRows(
    team,
    { email: 'list@people.test', properties: [] },
    { email, firstName: 'Ada', properties: { b: 'x'.repeat(40_000) } },
    { email: 'text@people.test', properties: 'x' },
    { email: 'null@people.test', properties: null },
    { email: 'large@people.test', properties: { a: 'x'.repeat(70_000) } },
    { email: 'good@people.test', properties: { a: 1 } },
  )
  assert.deepEqual([answer.created, answer.updated, answer.skipped], [1, 0, 5])
  assert.deepEqual(pluckRows(answer.errors, 'index', 'message'), [
    [0, 'properties: must be an object'],
    [1, 'properties: must be at most 64 KiB as JSON, together with those that the contact has'],
    [2, 'properties: must be an object'],
    [3, 'properties: must be an object'],
    [4, 'properties: must be at most 64 KiB as JSON'],
  ])
  const { data } = (await team.api.get('/v1/contacts?search=ada')).body
  assert.deepEqual([data[0].firstName, Object.keys(data[0].properties)], [null, ['a']])
})

test('a row that is too large for its contact gives way to the row before it, whose opt-out counts', async () => {
  const team = await posthorn.team()
  const [email, other] = ['ada@people.test', 'bob@people.test']
  const large = (name: string) => ({ email, firstName: 'Large', properties: { [name]: 'x'.repeat(40_000) } })
  await importRows(team, { email, properties: { a: 'x'.repeat(40_000) } }, { email: other })
  const optOut = { email, firstName: 'Ada', unsubscribed: true, properties: { c: 1 } }
  const answer = await importRows(team, optOut, { email: other }, large('b'), large('d'))
  assert.deepEqual([answer.created, answer.updated, answer.skipped], [0, 1, 3])
  assert.deepEqual(pluckRows(answer.errors, 'index'), [[2], [3]])
  const [ada] = (await team.api.get('/v1/contacts?search=ada')).body.data
  assert.deepEqual([ada.firstName, ada.unsubscribed, Object.keys(ada.properties)], ['Ada', true, ['a', 'c']])
  const again = await importRows(team, large('b'), large('d'))
  assert.deepEqual([again.created, again.updated, again.skipped], [0, 0, 2])
  assert.deepEqual(pluckRows(again.errors, 'index'), [[0], [1]])
})
