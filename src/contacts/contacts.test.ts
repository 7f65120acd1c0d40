import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { pluck } from '../../test/pluck.ts'

const posthorn = await createTestApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

const add = async (team: TestTeam, email: string, fields: object = {}) => {
  const answer = await ok(team.api.post('/v1/contacts', { email, ...fields }))
  return answer
}

test('a contact reads back as given, with null for what it does not have', async () => {
  const team = await posthorn.team()
  const made = await add(team, 'Ada@Example.com')
  const now = posthorn.clock.now().toISOString()
  const { id, ...rest } = made
  assert.deepEqual(rest, {
    email: 'Ada@Example.com',
    firstName: null,
    lastName: null,
    phoneNumber: null,
    unsubscribed: false,
    properties: {},
    segments: [],
    topics: [],
    createdAt: now,
    updatedAt: now,
  })
  const given = {
    firstName: 'Grace',
    lastName: 'Hopper',
    phoneNumber: '+12025550123',
    properties: { a: [1, { b: null }] },
  }
  const whole = await add(team, 'grace@example.com', given)
  assert.deepEqual({ ...whole, ...given }, whole)
  assert.deepEqual((await team.api.get(`/v1/contacts/${id}`)).body, made)
  assert.deepEqual((await team.api.get('/v1/contacts')).body, { data: [whole, made], cursor: null, hasMore: false })
})

test('a team has one contact for an address in any case, also after simultaneous requests', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const emails = ['ada@example.com', 'ADA@Example.com', 'Ada@EXAMPLE.com', 'aDa@example.COM']
  const answers = await Promise.all(emails.map((email) => team.api.post('/v1/contacts', { email })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
  assert.equal(answers.find(({ status }) => status === 409)!.body.name, 'conflict')
  await add(team, 'ada@münchen.example')
  assert.equal((await team.api.post('/v1/contacts', { email: 'ada@xn--mnchen-3ya.example' })).status, 409)
  await add(other, 'ada@example.com')
})

test('an update changes the fields that it names, and an empty text clears a field', async () => {
  const team = await posthorn.team()
  const before = await add(team, 'ada@example.com', {
    firstName: 'Ada',
    phoneNumber: '+447700900123',
    properties: { a: 1 },
  })
  posthorn.clock.advance(1000)
  const patch = async (changes: object) => (await team.api.patch(`/v1/contacts/${before.id}`, changes)).body
  const named = await patch({ lastName: 'Lovelace' })
  assert.deepEqual(named, { ...before, lastName: 'Lovelace', updatedAt: posthorn.clock.now().toISOString() })
  const emptied = await patch({ phoneNumber: '', firstName: '', lastName: null })
  assert.deepEqual([emptied.phoneNumber, emptied.firstName, emptied.lastName], [null, null, null])
  assert.deepEqual((await patch({ properties: { b: 2 } })).properties, { b: 2 })
  assert.equal((await patch({ unsubscribed: true })).unsubscribed, true)
  assert.equal((await patch({ unsubscribed: false })).unsubscribed, false)
  const at = posthorn.clock.now().toISOString()
  posthorn.clock.advance(1000)
  assert.equal((await patch({ unsubscribed: false, properties: { b: 2 } })).updatedAt, at, 'nothing changed')
})

test('properties are limited only by their 64 KiB, with any number of values', async () => {
  const team = await posthorn.team()
  const list = Array(32_000).fill(7)
  const { id, properties } = await add(team, 'many@example.com', { properties: { list } })
  assert.equal(properties.list.length, list.length)
  assert.equal((await team.api.patch(`/v1/contacts/${id}`, { properties: { list: [...list, 8] } })).status, 200)
})

test('setting unsubscribed by an update blocks no address', async () => {
  const team = await posthorn.team()
  const { id } = await add(team, 'ada@example.com')
  await team.api.patch(`/v1/contacts/${id}`, { unsubscribed: true })
  assert.deepEqual((await team.api.get('/v1/suppressions')).body.data, [])
})

test('an invalid field is refused by name', async () => {
  const team = await posthorn.team()
  const { id } = await add(team, 'ada@example.com')
  const large = { text: 'x'.repeat(64 * 1024) }
  const bad: [path: string, fields: object][] = [
    ...['', 'ada', 'Ada <a@b.co>', 'a@b', 'a b@c.co', null, 5].map((email): [string, object] => ['email', { email }]),
    ...['123', '+0123', '+123456', 'x', '+44 7700 900123', `+${'1'.repeat(16)}`, 5].map(
      (phoneNumber): [string, object] => ['phoneNumber', { phoneNumber }],
    ),
    ...['x'.repeat(201), 'a\nb', 5].map((firstName): [string, object] => ['firstName', { firstName }]),
    ...[[], null, 'x', large].map((properties): [string, object] => ['properties', { properties }]),
    ['name', { name: 'Ada' }],
  ]
  for (const [path, fields] of bad) {
    const answers = [await team.api.post('/v1/contacts', { email: 'b@example.com', ...fields })]
    answers.push(await team.api.patch(`/v1/contacts/${id}`, fields))
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.errors?.[0].path], [400, path], JSON.stringify(fields).slice(0, 80))
    }
  }
  assert.equal((await team.api.post('/v1/contacts', { email: 'b@example.com', unsubscribed: true })).status, 400)
  assert.equal((await team.api.post('/v1/contacts', {})).body.errors[0].path, 'email')
  assert.equal((await team.api.patch(`/v1/contacts/${id}`, { email: 'new@example.com' })).status, 400)
  for (const query of ['limit=0', 'limit=101', 'cursor=x', 'email=a']) {
    assert.equal((await team.api.get(`/v1/contacts?${query}`)).status, 400, query)
  }
  assert.equal((await team.api.get('/v1/contacts')).body.data.length, 1)
})

test('a contact shows its segments and the topics it is opted in to, and a deleted one leaves them', async () => {
  const team = await posthorn.team()
  const [ada, bob] = [await add(team, 'ada@example.com'), await add(team, 'bob@example.com')]
  const make = async (noun: string, name: string) => (await team.api.post(`/v1/${noun}`, { name })).body.id
  const [readers, buyers] = [await make('segments', 'Readers'), await make('segments', 'Buyers')]
  const [news, offers] = [await make('topics', 'News'), await make('topics', 'Offers')]
  for (const id of [readers, buyers]) await team.api.post(`/v1/segments/${id}/contacts`, { contactIds: [ada.id] })
  for (const id of [news, offers]) await team.api.post(`/v1/topics/${id}/contacts`, { contactIds: [ada.id] })
  await team.api.delete(`/v1/topics/${offers}/contacts/${ada.id}`)
  const shown = (await team.api.get(`/v1/contacts/${ada.id}`)).body
  assert.deepEqual(shown.segments, [
    { segmentId: buyers, name: 'Buyers' },
    { segmentId: readers, name: 'Readers' },
  ])
  assert.deepEqual(shown.topics, [{ topicId: news, name: 'News' }])
  assert.deepEqual((await team.api.get('/v1/contacts')).body.data, [bob, shown])
  assert.deepEqual((await team.api.patch(`/v1/contacts/${ada.id}`, { unsubscribed: false })).body, shown)
  assert.deepEqual((await team.api.delete(`/v1/contacts/${ada.id}`)).body, { id: ada.id, deleted: true })
  assert.equal((await team.api.get(`/v1/contacts/${ada.id}`)).status, 404)
  assert.equal((await team.api.delete(`/v1/contacts/${ada.id}`)).status, 404)
  assert.equal((await team.api.get(`/v1/segments/${readers}`)).body.contactCount, 0)
  assert.notEqual((await add(team, 'ada@example.com')).id, ada.id)
})

test("another team's contact is answered like one that does not exist", async () => {
  const [ours, theirs] = [await posthorn.team(), await posthorn.team()]
  const { id } = await add(theirs, 'ada@example.com')
  const strange = await ours.api.get(`/v1/contacts/${id}`)
  assert.equal(strange.status, 404)
  assert.deepEqual(strange.body, (await ours.api.get(`/v1/contacts/${unknownId}`)).body)
  assert.equal((await ours.api.patch(`/v1/contacts/${id}`, { firstName: 'Eve' })).status, 404)
  assert.equal((await ours.api.delete(`/v1/contacts/${id}`)).status, 404)
  assert.deepEqual((await ours.api.get('/v1/contacts')).body.data, [])
  assert.equal((await theirs.api.get(`/v1/contacts/${id}`)).body.firstName, null)
})

test('simultaneous changes all take effect, and an invalid one does not affect the others', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const ada = await add(team, 'ada@example.com')
  const bob = await add(team, 'bob@example.com')
  const namesake = await add(other, 'ada@example.com', { firstName: 'Other' })
  const changes: [string, object, number][] = [
    [ada.id, { firstName: 'Ada' }, 200],
    [unknownId, { firstName: 'Nobody' }, 404],
    [ada.id.toUpperCase(), { lastName: 'King' }, 200],
    [bob.id, { properties: { a: 1 } }, 200],
    [ada.id, { phoneNumber: 'none' }, 400],
    [namesake.id, { firstName: 'Ours' }, 404],
    [bob.id, { unsubscribed: true }, 200],
    ...Array.from({ length: 40 }, (_, n): [string, object, number] => [ada.id, { properties: { n } }, 200]),
  ]
  const answers = await Promise.all(changes.map(([id, change]) => team.api.patch(`/v1/contacts/${id}`, change)))
  assert.deepEqual(
    pluck(answers, 'status'),
    changes.map(([, , status]) => status),
  )
  for (const [index, { body, status }] of answers.entries()) {
    if (status === 200) assert.deepEqual({ ...body, ...changes[index]![1] }, body)
  }
  const { firstName, lastName, properties } = (await team.api.get(`/v1/contacts/${ada.id}`)).body
  assert.deepEqual([firstName, lastName, typeof properties.n], ['Ada', 'King', 'number'])
  const changed = (await team.api.get(`/v1/contacts/${bob.id}`)).body
  assert.deepEqual([changed.unsubscribed, changed.properties], [true, { a: 1 }])
  assert.equal((await other.api.get(`/v1/contacts/${namesake.id}`)).body.firstName, 'Other')
})
