import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, sharedTestApp } from '../../test/app.ts'

const posthorn = await sharedTestApp()

type Row = { id: string; email: string }

/** Five contacts: a to c in the segment, b to d in the topic, b and e unsubscribed. */
async function populated() {
  const team = await posthorn.team()
  const { api } = team
  const ids: Record<string, string> = {}
  for (const name of 'abcde') ids[name] = (await api.post('/v1/contacts', { email: `${name}@people.test` })).body.id
  const segmentId: string = (await api.post('/v1/segments', { name: 'Customers' })).body.id
  const topicId: string = (await api.post('/v1/topics', { name: 'News' })).body.id
  await api.post(`/v1/segments/${segmentId}/contacts`, { contactIds: [ids.a, ids.b, ids.c] })
  await api.post(`/v1/topics/${topicId}/contacts`, { contactIds: [ids.b, ids.c, ids.d] })
  for (const name of 'be') await api.patch(`/v1/contacts/${ids[name]}`, { unsubscribed: true })
  return { team, segmentId, topicId }
}

const namesOf = ({ body }: Answer) => body.data.map(({ email }: Row) => email[0]).join('')

test('contacts are filtered by segment, topic and opt-out, alone and together, also in a search', async () => {
  const { team, segmentId, topicId } = await populated()
  for (const [query, names] of [
    ['', 'edcba'],
    [`segmentId=${segmentId}`, 'cba'],
    [`topicId=${topicId.toUpperCase()}`, 'dcb'],
    ['unsubscribed=true', 'eb'],
    ['unsubscribed=false', 'dca'],
    [`segmentId=${segmentId}&topicId=${topicId}`, 'cb'],
    [`segmentId=${segmentId}&unsubscribed=false`, 'ca'],
    [`topicId=${topicId}&unsubscribed=true`, 'b'],
    [`segmentId=${segmentId}&topicId=${topicId}&unsubscribed=false`, 'c'],
  ]) {
    for (const search of ['', '&search=people', '&search=@']) {
      const path = `/v1/contacts?${query}${search}`
      assert.equal(namesOf(await team.api.get(path)), names, path)
      const first = await team.api.get(`${path}&limit=1`)
      const { cursor } = first.body
      const rest = cursor ? namesOf(await team.api.get(`${path}&cursor=${cursor}`)) : ''
      assert.equal(namesOf(first) + rest, names, `${path} in pages`)
    }
  }
})

test('a filter of another team, and a cursor of another filter, are 400', async () => {
  const [{ team, segmentId, topicId }, other] = [await populated(), await posthorn.team()]
  for (const query of [`segmentId=${segmentId}`, `topicId=${topicId}`]) {
    for (const path of ['/v1/contacts', '/v1/contacts/export']) {
      assert.equal((await other.api.get(`${path}?${query}`)).status, 400, `${path} ${query}`)
    }
    const { cursor } = (await team.api.get(`/v1/contacts?${query}&limit=1`)).body
    assert.equal((await team.api.get(`/v1/contacts?cursor=${cursor}`)).status, 400)
  }
  for (const query of ['unsubscribed=maybe', 'unsubscribed=', 'segmentId=', 'topic=x']) {
    assert.equal((await team.api.get(`/v1/contacts?${query}`)).status, 400, query)
  }
})
