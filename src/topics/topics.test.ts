import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp, type TestTeam } from '../../test/app.ts'

const posthorn = await sharedTestApp()

const make = async ({ api }: TestTeam, name = 'News') => (await api.post('/v1/topics', { name })).body
const contact = async ({ api }: TestTeam, email: string): Promise<string> =>
  (await api.post('/v1/contacts', { email })).body.id
const subscribe = ({ api }: TestTeam, id: string, contactIds: string[]) =>
  api.post(`/v1/topics/${id}/contacts`, { contactIds })
const optOut = ({ api }: TestTeam, id: string, contactId: string) =>
  api.delete(`/v1/topics/${id}/contacts/${contactId}`)
const subscribers = async ({ api }: TestTeam, id: string) => (await api.get(`/v1/topics/${id}`)).body.subscriberCount

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
