import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../test/app.ts'
import { createResendApp, given } from './fixtures/client.ts'

const { posthorn, setUp } = await createResendApp()

/** Contacts a to d; b opted out of the topic, c opted in by hand, a and d have no record of it. */
async function prepare(defaultSubscription: 'opt_in' | 'opt_out') {
  const { team, resend } = await setUp()
  const { id: topicId } = await given(resend.topics.create({ name: 'News', defaultSubscription }))
  const { id: segmentId } = await ok(team.api.post('/v1/segments', { name: 'All' }), 201)
  const ids: Record<string, string> = {}
  for (const name of 'abcd') ids[name] = (await ok(team.api.post('/v1/contacts', { email: `${name}@people.test` }))).id
  await ok(team.api.post(`/v1/segments/${segmentId}/contacts`, { contactIds: Object.values(ids) }))
  const set = (name: string, subscription: 'opt_in' | 'opt_out') =>
    given(resend.contacts.topics.update({ id: ids[name]!, topics: [{ id: topicId, subscription }] }))
  await set('b', 'opt_out')
  await set('c', 'opt_in')
  return { team, topicId, segmentId, ids, set }
}

type Made = Awaited<ReturnType<typeof prepare>>

/**
 * Everything that says who is opted in: lists, the CSV file, the contacts themselves and the audience of a broadcast.
 */
async function optedIn({ team, topicId, segmentId, ids }: Made) {
  const named = async (query: string) =>
    (await ok(team.api.get(`/v1/contacts?topicId=${topicId}${query}`))).data
      .map(({ email }: { email: string }) => email[0])
      .join('')
  const file: string = (await team.api.get(`/v1/contacts/export?topicId=${topicId}`)).body
  const shown = await Promise.all(
    Object.entries(ids).map(async ([name, id]) => {
      const answer = await team.api.get(`/v1/contacts/${id}`)
      return answer.body.topics?.[0]?.topicId === topicId ? name : ''
    }),
  )
  const draft = { name: 'News', from: `a@${team.domain}`, subject: 'News', text: 'Hello', segmentId, topicId }
  const { id } = await ok(team.api.post('/v1/broadcasts', draft), 201)
  return {
    listed: await named(''),
    searched: await named('&search=people'),
    inSegment: await named(`&segmentId=${segmentId}&unsubscribed=false`),
    exported: file.match(/[a-d](?=@)/g)?.join(''),
    shown: shown.reverse().join(''),
    count: (await ok(team.api.get(`/v1/topics/${topicId}`))).subscriberCount,
    recipients: (await ok(team.api.get(`/v1/broadcasts/${id}/audience`))).recipients,
  }
}

const all = (names: string) => ({
  ...{ listed: names, searched: names, inSegment: names, exported: names, shown: names },
  ...{ count: names.length, recipients: names.length },
})

test('lists, counts and contacts say who is opted in by default, as a broadcast does', async () => {
  const made = await prepare('opt_in')
  assert.deepEqual(await optedIn(made), all('dca'))
  await posthorn.runDueJobsAfter(10_000)
  assert.deepEqual(await optedIn(made), all('dca'), 'with the changes in the totals')
  const { team, topicId, ids, set } = made
  await set('b', 'opt_in')
  await set('c', 'opt_out')
  await ok(team.api.delete(`/v1/topics/${topicId}/contacts/${ids.d}`))
  assert.deepEqual(await optedIn(made), all('ba'))
  for (const name of 'ac') await ok(team.api.delete(`/v1/contacts/${ids[name]}`))
  assert.deepEqual(await optedIn(made), all('b'))
})

test('contacts without a record are opted in to no other topic', async () => {
  const made = await prepare('opt_out')
  assert.deepEqual(await optedIn(made), all('c'))
})

test('a draft about a deleted topic has no recipients, also if the topic was opted in to by default', async () => {
  const { team, topicId, segmentId } = await prepare('opt_in')
  const draft = { name: 'News', from: `a@${team.domain}`, subject: 'News', text: 'Hello', segmentId, topicId }
  const { id } = await ok(team.api.post('/v1/broadcasts', draft), 201)
  await ok(team.api.delete(`/v1/topics/${topicId}`))
  const { total, recipients } = await ok(team.api.get(`/v1/broadcasts/${id}/audience`))
  assert.deepEqual([total, recipients], [4, 0])
})
