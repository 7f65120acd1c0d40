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
