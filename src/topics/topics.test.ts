import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp, type TestTeam } from '../../test/app.ts'

const posthorn = await sharedTestApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

const make = async ({ api }: TestTeam, name = 'News') => (await api.post('/v1/topics', { name })).body
const contact = async ({ api }: TestTeam, email: string): Promise<string> =>
  (await api.post('/v1/contacts', { email })).body.id
const subscribe = ({ api }: TestTeam, id: string, contactIds: string[]) =>
  api.post(`/v1/topics/${id}/contacts`, { contactIds })
const optOut = ({ api }: TestTeam, id: string, contactId: string) =>
  api.delete(`/v1/topics/${id}/contacts/${contactId}`)
const subscribers = async ({ api }: TestTeam, id: string) => (await api.get(`/v1/topics/${id}`)).body.subscriberCount

test('a topic begins without subscribers, reads back as written, and is renamed', async () => {
  const team = await posthorn.team()
  const made = await team.api.post('/v1/topics', { name: 'News' })
  assert.equal(made.status, 201)
  const { id, ...rest } = made.body
  assert.deepEqual(rest, { name: 'News', subscriberCount: 0, createdAt: posthorn.clock.now().toISOString() })
  assert.deepEqual((await team.api.get(`/v1/topics/${id}`)).body, made.body)
  const renamed = await team.api.patch(`/v1/topics/${id}`, { name: 'Offers' })
  assert.deepEqual([renamed.status, renamed.body], [200, { ...made.body, name: 'Offers' }])
})

test('the list is complete and newest first', async () => {
  const team = await posthorn.team()
  const topics = [await make(team, 'One'), await make(team, 'One'), await make(team, 'Two')]
  assert.deepEqual((await team.api.get('/v1/topics')).body.data, topics.reverse())
})

test('the answer tells apart contacts that subscribe, come back or are subscribed already', async () => {
  const team = await posthorn.team()
  const { id } = await make(team)
  const [ada, bob] = [await contact(team, 'ada@people.test'), await contact(team, 'bob@people.test')]
  const first = await subscribe(team, id, [ada, ada])
  assert.deepEqual([first.status, first.body], [200, { added: 1, reactivated: 0, alreadySubscribed: 0 }])
  assert.deepEqual((await team.api.get(`/v1/contacts/${ada}`)).body.topics, [{ topicId: id, name: 'News' }])
  const out = await optOut(team, id, ada)
  assert.deepEqual([out.status, out.body], [200, { id: ada, deleted: true }])
  assert.equal(await subscribers(team, id), 0)
  assert.deepEqual((await team.api.get(`/v1/contacts/${ada}`)).body.topics, [])
  assert.deepEqual((await subscribe(team, id, [bob, ada])).body, { added: 1, reactivated: 1, alreadySubscribed: 0 })
  assert.deepEqual((await subscribe(team, id, [bob, ada])).body, { added: 0, reactivated: 0, alreadySubscribed: 2 })
  assert.equal(await subscribers(team, id), 2)
})

test('opting out twice has the effect of once, and a contact that was never subscribed is 404', async () => {
  const team = await posthorn.team()
  const { id } = await make(team)
  const [ada, bob] = [await contact(team, 'ada@people.test'), await contact(team, 'bob@people.test')]
  await subscribe(team, id, [ada])
  assert.equal((await optOut(team, id, ada)).status, 200)
  assert.equal((await optOut(team, id, ada)).status, 200)
  assert.equal((await optOut(team, id, bob)).status, 404)
  assert.equal(await subscribers(team, id), 0)
})

test('unknown ids are reported, and then no contact is subscribed', async () => {
  const [team, stranger] = [await posthorn.team(), await posthorn.team()]
  const { id } = await make(team)
  const [ada, theirs] = [await contact(team, 'ada@people.test'), await contact(stranger, 'eve@people.test')]
  const refused = await subscribe(team, id, [ada, theirs])
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body.errors, [{ path: 'contactIds[1]', message: `${theirs} is not a contact of this team` }])
  assert.equal(await subscribers(team, id), 0)
})

test('deleting a topic deletes its subscriptions', async () => {
  const team = await posthorn.team()
  const { id } = await make(team)
  const ada = await contact(team, 'ada@people.test')
  await subscribe(team, id, [ada])
  assert.deepEqual((await team.api.delete(`/v1/topics/${id}`)).body, { id, deleted: true })
  assert.deepEqual((await team.api.get(`/v1/contacts/${ada}`)).body.topics, [])
  for (const answer of [
    await team.api.get(`/v1/topics/${id}`),
    await team.api.patch(`/v1/topics/${id}`, { name: 'x' }),
    await team.api.delete(`/v1/topics/${id}`),
    await subscribe(team, id, [ada]),
    await optOut(team, id, ada),
  ])
    assert.deepEqual([answer.status, answer.body.name], [404, 'not_found'])
})

test('a topic cannot be deleted while a broadcast about it is sent', async () => {
  const team = await posthorn.team()
  const { id } = await make(team)
  const { body: segment } = await team.api.post('/v1/segments', { name: 'Customers' })
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const { body: broadcast } = await team.api.post('/v1/broadcasts', {
    name: 'News',
    from: `a@${team.domain}`,
    segmentId: segment.id,
    topicId: id,
    subject: 'News',
    text: 'Hello',
    scheduledAt,
  })
  await team.api.post(`/v1/broadcasts/${broadcast.id}/send`)
  const refused = await team.api.delete(`/v1/topics/${id}`)
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
  await team.api.post(`/v1/broadcasts/${broadcast.id}/cancel`)
  assert.equal((await team.api.delete(`/v1/topics/${id}`)).status, 200)
})

test('an invalid field is refused by name', async () => {
  const team = await posthorn.team()
  const { id } = await make(team)
  const refused: [unknown, string][] = [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'x', subscriberCount: 1 }, 'subscriberCount'],
  ]
  for (const [body, path] of refused) {
    for (const answer of [await team.api.post('/v1/topics', body), await team.api.patch(`/v1/topics/${id}`, body)])
      assert.deepEqual([answer.status, answer.body.errors?.[0].path], [400, path], JSON.stringify(body))
  }
  for (const contactIds of [[], ['42'], unknownId, undefined, Array(10_001).fill(unknownId)])
    assert.equal((await team.api.post(`/v1/topics/${id}/contacts`, { contactIds })).status, 400)
})
