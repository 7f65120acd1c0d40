import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResendApp, given, helloFrom, refused } from './fixtures/client.ts'

const { setUp } = await createResendApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

test('properties that several programs set at once are all there', async () => {
  const { resend } = await setUp()
  const { id } = await given(resend.contacts.create({ email: 'many@example.com', properties: { gone: 1 } }))
  const names = Array.from({ length: 10 }, (_, at) => `p${at}`)
  await Promise.all(
    names.map((name) => given(resend.contacts.update({ id, properties: { [name]: name, gone: null } }))),
  )
  assert.deepEqual(Object.keys((await given(resend.contacts.get({ id }))).properties).sort(), names)
})

test('a contact is created, read by id and by address, updated and removed', async () => {
  const { resend } = await setUp()
  const properties = { plan: 'gold', orders: 3 }
  const made = await given(
    resend.contacts.create({ email: 'Ada@example.com', firstName: 'Ada', unsubscribed: false, properties }),
  )
  assert.equal(made.object, 'contact')
  const { created_at, ...read } = await given(resend.contacts.get('ada@example.com'))
  assert.ok(created_at.endsWith('Z'))
  assert.deepEqual(read, {
    ...{ object: 'contact', id: made.id, email: 'Ada@example.com', first_name: 'Ada', last_name: null },
    ...{ unsubscribed: false },
    properties: { plan: { type: 'string', value: 'gold' }, orders: { type: 'number', value: 3 } },
  })
  const change = { id: made.id, lastName: 'Lovelace', firstName: null, properties: { orders: null, city: 'London' } }
  assert.deepEqual(await given(resend.contacts.update(change)), made)
  const changed = await given(resend.contacts.get({ id: made.id }))
  assert.deepEqual([changed.first_name, changed.last_name], [null, 'Lovelace'])
  assert.deepEqual(Object.keys(changed.properties).sort(), ['city', 'plan'])
  const { data } = await given(resend.contacts.list())
  assert.deepEqual(Object.keys(data[0]!).sort(), [
    ...['created_at', 'email', 'first_name', 'id', 'last_name', 'unsubscribed'],
  ])
  const gone = { object: 'contact', contact: made.id, deleted: true }
  assert.deepEqual(await given(resend.contacts.remove({ email: 'ada@example.com' })), gone)
  assert.deepEqual(await given(resend.contacts.remove(made.id)), gone)
  assert.deepEqual((await refused(resend.contacts.get(made.id))).slice(0, 2), [404, 'not_found'])
  assert.deepEqual((await refused(resend.contacts.create({ email: 'x' }))).slice(0, 2), [422, 'validation_error'])
})

test('creating a known address updates it, and resubscribes it to nothing', async () => {
  const { resend } = await setUp()
  const first = await given(resend.contacts.create({ email: 'ada@example.com', unsubscribed: true }))
  const again = await given(resend.contacts.create({ email: 'ADA@example.com', firstName: 'Ada', unsubscribed: false }))
  assert.deepEqual(again, first)
  const { first_name, unsubscribed } = await given(resend.contacts.get(first.id))
  assert.deepEqual([first_name, unsubscribed], ['Ada', true])
})

test('a contact that names an unknown topic or segment is refused as a whole', async () => {
  const { resend } = await setUp()
  const email = 'whole@example.com'
  const topics = [{ id: unknownId, subscription: 'opt_in' as const }]
  for (const named of [{ topics }, { segments: [{ id: unknownId }] }]) {
    assert.deepEqual((await refused(resend.contacts.create({ email, ...named }))).slice(0, 2), [
      422,
      'validation_error',
    ])
    assert.deepEqual((await refused(resend.contacts.get(email))).slice(0, 2), [404, 'not_found'])
  }
})

test('segments hold contacts, also under their former name of audiences', async () => {
  const { resend } = await setUp()
  const { id, ...segment } = await given(resend.segments.create({ name: 'Customers' }))
  assert.deepEqual(segment, { object: 'segment', name: 'Customers' })
  const ada = await given(resend.contacts.create({ email: 'ada@example.com', segments: [{ id }] }))
  const bob = await given(resend.contacts.create({ email: 'bob@example.com', audienceId: id }))
  const listed = await given(resend.contacts.list({ segmentId: id }))
  assert.deepEqual(
    listed.data.map((contact) => contact.id),
    [bob.id, ada.id],
  )
  const before = await given(resend.contacts.list({ audienceId: id, before: ada.id }))
  assert.deepEqual([before.data.map((contact) => contact.id), before.has_more], [[bob.id], false])
  const member = { email: 'ada@example.com', segmentId: id }
  assert.deepEqual(await given(resend.contacts.segments.remove(member)), { id, audienceId: id, deleted: true })
  assert.deepEqual((await given(resend.contacts.segments.list(member))).data, [])
  assert.deepEqual(await given(resend.contacts.segments.add({ contactId: ada.id, segmentId: id })), { id })
  const { data } = await given(resend.contacts.segments.list({ contactId: ada.id }))
  assert.deepEqual(
    data.map(({ name }) => name),
    ['Customers'],
  )
  assert.deepEqual(await given(resend.segments.update(id, { name: 'Buyers' })), { object: 'segment', id })
  const { created_at: _at, ...read } = await given(resend.segments.get(id))
  assert.deepEqual(read, { object: 'segment', id, name: 'Buyers' })
  const update = { audienceId: id, email: 'bob@example.com', firstName: 'Bob' }
  assert.deepEqual(await given(resend.contacts.update(update)), { object: 'contact', id: bob.id })
  assert.equal((await given(resend.contacts.get({ audienceId: id, id: bob.id }))).first_name, 'Bob')
  assert.equal((await given(resend.segments.list())).data.length, 1)
  assert.deepEqual(await given(resend.segments.remove(id)), { object: 'segment', id, deleted: true })
  const unknown = await refused(resend.contacts.create({ email: 'c@example.com', segments: [{ id }] }))
  assert.deepEqual(unknown.slice(0, 2), [422, 'validation_error'])
})

test('a topic says what holds for contacts without a record, and who opted out gets nothing about it', async () => {
  const { resend, team } = await setUp()
  const news = { name: 'News', description: 'Monthly', defaultSubscription: 'opt_in' as const }
  const { id } = await given(resend.topics.create(news))
  const { id: rare } = await given(resend.topics.create({ name: 'Rare', defaultSubscription: 'opt_out' }))
  const { created_at: _at, ...read } = await given(resend.topics.get(id))
  const { defaultSubscription: default_subscription, ...shown } = news
  assert.deepEqual({ ...read }, { object: 'topic', id, ...shown, default_subscription })
  const ada = await given(resend.contacts.create({ email: 'ada@example.com' }))
  const of = async () => {
    const { data } = await given(resend.contacts.topics.list({ email: 'ada@example.com' }))
    return data.map(({ name, subscription }) => `${name} ${subscription}`)
  }
  assert.deepEqual(await of(), ['Rare opt_out', 'News opt_in'])
  const hello = { ...helloFrom(team), topicId: id }
  const { id: sent } = await given(resend.emails.send(hello))
  assert.equal((await given(resend.emails.get(sent))).topic_id, id)
  const topics = [
    { id, subscription: 'opt_out' as const },
    { id: rare, subscription: 'opt_in' as const },
  ]
  assert.deepEqual(await given(resend.contacts.topics.update({ id: ada.id, topics })), { id: ada.id })
  assert.deepEqual(await of(), ['Rare opt_in', 'News opt_out'])
  const error = await refused(resend.emails.send(hello))
  assert.deepEqual(error.slice(0, 2), [422, 'validation_error'])
  assert.match(error[2], /ada@example\.com/)
  assert.equal((await given(resend.topics.update({ id, name: 'Letters' }))).id, id)
  assert.deepEqual(
    (await given(resend.topics.list())).data.map(({ name }) => name),
    ['Rare', 'Letters'],
  )
  const bad = { id: ada.id, topics: [{ id: unknownId, subscription: 'opt_in' as const }] }
  assert.deepEqual((await refused(resend.contacts.topics.update(bad))).slice(0, 2), [422, 'validation_error'])
  assert.deepEqual(await given(resend.topics.remove(id)), { object: 'topic', id, deleted: true })
})

test('our own API opts out a contact that is opted in without a record, and no other', async () => {
  const { resend, team } = await setUp()
  const { id } = await given(resend.topics.create({ name: 'News', defaultSubscription: 'opt_in' }))
  const { id: rare } = await given(resend.topics.create({ name: 'Rare', defaultSubscription: 'opt_out' }))
  const ada = await given(resend.contacts.create({ email: 'ada@example.com' }))
  const optOut = (topicId: string, contactId: string) => team.api.delete(`/v1/topics/${topicId}/contacts/${contactId}`)
  assert.deepEqual((await optOut(id, ada.id)).body, { id: ada.id, deleted: true })
  assert.equal((await optOut(rare, ada.id)).status, 404)
  assert.equal((await optOut(id, unknownId)).status, 404)
  const { data } = await given(resend.contacts.topics.list({ email: 'ada@example.com' }))
  assert.deepEqual(
    data.map(({ name, subscription }) => `${name} ${subscription}`),
    ['Rare opt_out', 'News opt_out'],
  )
  const owner = await team.member('owner')
  const { body } = await owner.api.get('/v1/audit?action=topic.contact_opted_out')
  assert.deepEqual(
    body.data.map(({ changes }: Record<string, unknown>) => changes),
    [{ [ada.id]: { from: 'opt_in', to: 'opt_out' } }],
  )
})

test('a path of a segment that is not there is 404', async () => {
  const { resend } = await setUp()
  const listed = await refused(resend.contacts.list({ segmentId: unknownId }))
  assert.deepEqual(listed.slice(0, 2), [404, 'not_found'])
  const created = await refused(resend.contacts.create({ email: 'ada@example.com', audienceId: unknownId }))
  assert.deepEqual(created.slice(0, 2), [404, 'not_found'])
})
