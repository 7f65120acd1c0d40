import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import type { Event } from '../events.ts'
import { features } from '../features.ts'

const heard: Event[] = []
features.push({
  name: 'listener',
  subscriptions: [{ types: ['contact.added_to_segment'], listen: async (_tx, events) => void heard.push(...events) }],
})
const posthorn = await createTestApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

const make = async ({ api }: TestTeam, name = 'Customers') => (await api.post('/v1/segments', { name })).body
const contact = async ({ api }: TestTeam, email: string): Promise<string> =>
  (await api.post('/v1/contacts', { email })).body.id
const add = ({ api }: TestTeam, id: string, contactIds: string[]) =>
  api.post(`/v1/segments/${id}/contacts`, { contactIds })
const counts = async ({ api }: TestTeam, id: string) => {
  const { body } = await api.get(`/v1/segments/${id}`)
  return [body.contactCount, body.unsubscribedCount]
}

test('a segment begins empty, reads back as written, and is renamed', async () => {
  const team = await posthorn.team()
  const made = await team.api.post('/v1/segments', { name: 'Customers' })
  assert.equal(made.status, 201)
  const { id, ...rest } = made.body
  const createdAt = posthorn.clock.now().toISOString()
  assert.deepEqual(rest, { name: 'Customers', contactCount: 0, unsubscribedCount: 0, createdAt })
  assert.deepEqual((await team.api.get(`/v1/segments/${id}`)).body, made.body)
  const renamed = await team.api.patch(`/v1/segments/${id}`, { name: 'Regulars' })
  assert.deepEqual([renamed.status, renamed.body], [200, { ...made.body, name: 'Regulars' }])
})

test('the list is complete and newest first', async () => {
  const team = await posthorn.team()
  const segments = [await make(team, 'One'), await make(team, 'One'), await make(team, 'Two')]
  assert.deepEqual((await team.api.get('/v1/segments')).body.data, segments.reverse())
})

test('a contact that is named several times is added once', async () => {
  const team = await posthorn.team()
  const { id } = await make(team)
  const [ada, bob] = [await contact(team, 'ada@people.test'), await contact(team, 'bob@people.test')]
  const added = await add(team, id, [ada, ada.toUpperCase()])
  assert.deepEqual([added.status, added.body], [200, { added: 1, alreadyInSegment: 0 }])
  assert.deepEqual((await add(team, id, [bob, ada])).body, { added: 1, alreadyInSegment: 1 })
  assert.deepEqual(await counts(team, id), [2, 0])
  assert.deepEqual((await team.api.get(`/v1/contacts/${ada}`)).body.segments, [{ segmentId: id, name: 'Customers' }])
})

test('an event is published for each contact that was not in the segment before', async () => {
  const team = await posthorn.team()
  const { id } = await make(team)
  const [ada, bob] = [await contact(team, 'ada@people.test'), await contact(team, 'bob@people.test')]
  await add(team, id, [ada])
  await add(team, id, [ada, bob])
  const told = heard.filter(({ teamId }) => teamId === team.id).map(({ data }) => data)
  assert.deepEqual(told, [
    { contactId: ada, segmentId: id },
    { contactId: bob, segmentId: id },
  ])
})

test('unknown ids are reported, and then no contact is added', async () => {
  const [team, stranger] = [await posthorn.team(), await posthorn.team()]
  const { id } = await make(team)
  const [ada, theirs] = [await contact(team, 'ada@people.test'), await contact(stranger, 'eve@people.test')]
  const refused = await add(team, id, [unknownId, ada, theirs])
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body.errors, [
    { path: 'contactIds[0]', message: `${unknownId} is not a contact of this team` },
    { path: 'contactIds[2]', message: `${theirs} is not a contact of this team` },
  ])
  assert.deepEqual(await counts(team, id), [0, 0])
})

test('10,000 contacts can be added at once, and no more', async () => {
  const team = await posthorn.team()
  const { id } = await make(team)
  const ada = await contact(team, 'ada@people.test')
  assert.deepEqual((await add(team, id, Array(10_000).fill(ada))).body, { added: 1, alreadyInSegment: 0 })
  assert.equal((await add(team, id, Array(10_001).fill(ada))).status, 400)
})

test('a contact that is removed from a segment still exists', async () => {
  const team = await posthorn.team()
  const { id } = await make(team)
  const ada = await contact(team, 'ada@people.test')
  await add(team, id, [ada])
  const removed = await team.api.delete(`/v1/segments/${id}/contacts/${ada}`)
  assert.deepEqual([removed.status, removed.body], [200, { id: ada, deleted: true }])
  assert.equal((await team.api.delete(`/v1/segments/${id}/contacts/${ada}`)).status, 404)
  assert.equal((await team.api.delete(`/v1/segments/${id}/contacts/${unknownId}`)).status, 404)
  assert.deepEqual((await team.api.get(`/v1/contacts/${ada}`)).body.segments, [])
  assert.deepEqual(await counts(team, id), [0, 0])
})

test('deleting a segment keeps its contacts', async () => {
  const team = await posthorn.team()
  const { id } = await make(team)
  const ada = await contact(team, 'ada@people.test')
  await add(team, id, [ada])
  assert.deepEqual((await team.api.delete(`/v1/segments/${id}`)).body, { id, deleted: true })
  assert.deepEqual((await team.api.get(`/v1/contacts/${ada}`)).body.segments, [])
  for (const answer of [
    await team.api.get(`/v1/segments/${id}`),
    await team.api.patch(`/v1/segments/${id}`, { name: 'x' }),
    await team.api.delete(`/v1/segments/${id}`),
    await add(team, id, [ada]),
    await team.api.delete(`/v1/segments/${id}/contacts/${ada}`),
  ])
    assert.deepEqual([answer.status, answer.body.name], [404, 'not_found'])
  assert.deepEqual((await team.api.get('/v1/segments')).body.data, [])
})

test('a segment cannot be deleted while a broadcast is sent to it; a draft does not prevent it', async () => {
  const team = await posthorn.team()
  const { id } = await make(team)
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const fields = { name: 'News', from: `a@${team.domain}`, segmentId: id, subject: 'News', text: 'Hello', scheduledAt }
  const { body: broadcast } = await team.api.post('/v1/broadcasts', fields)
  assert.equal((await team.api.post(`/v1/broadcasts/${broadcast.id}/send`)).body.status, 'scheduled')
  const refused = await team.api.delete(`/v1/segments/${id}`)
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
  assert.match(refused.body.message, /"News"/)
  assert.equal((await team.api.post(`/v1/broadcasts/${broadcast.id}/cancel`)).body.status, 'draft')
  assert.equal((await team.api.delete(`/v1/segments/${id}`)).status, 200)
})

test('an invalid field is refused by name', async () => {
  const team = await posthorn.team()
  const { id } = await make(team)
  const refused: [unknown, string][] = [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: null }, 'name'],
    [{ name: 'x', contactCount: 1 }, 'contactCount'],
  ]
  for (const [body, path] of refused) {
    for (const answer of [await team.api.post('/v1/segments', body), await team.api.patch(`/v1/segments/${id}`, body)])
      assert.deepEqual([answer.status, answer.body.errors?.[0].path], [400, path], JSON.stringify(body))
  }
  for (const contactIds of [[], ['42'], unknownId, undefined])
    assert.equal((await team.api.post(`/v1/segments/${id}/contacts`, { contactIds })).status, 400)
  assert.equal((await team.api.delete(`/v1/segments/${id}/contacts/42`)).status, 400)
})
