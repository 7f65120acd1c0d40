import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '../app.ts'
import { pluck } from '../pluck.ts'
import { startSink } from '../smtp-sink.ts'

const sink = await startSink()
after(() => sink.close())
const posthorn = await createTestApp({ EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: sink.url })

/** A team with an audience of live people, of whom one bounces and one has unsubscribed, and a test key. */
async function withAudience() {
  const team = await posthorn.team()
  const { body: key } = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  const { body: segment } = await team.api.post('/v1/segments', { name: 'All' })
  const contacts: string[] = []
  for (const name of ['ada', 'bounce', 'gone']) {
    contacts.push((await team.api.post('/v1/contacts', { email: `${name}@people.test`, firstName: name })).body.id)
  }
  await team.api.post(`/v1/segments/${segment.id}/contacts`, { contactIds: contacts })
  await team.api.patch(`/v1/contacts/${contacts[2]}`, { unsubscribed: true })
  const news = { name: 'News', from: 'news@nobodys.test', subject: 'Hi {{firstName}}', html: '<p>x</p>' }
  return { team, trial: posthorn.as(key.key), contacts, segmentId: segment.id as string, news }
}

test('a broadcast that a person tries with live people is captured to the end, and one of a live key is sent', async () => {
  const { team, trial, contacts, segmentId, news } = await withAudience()
  const { api: marketer } = await team.member('marketer')
  const made = await marketer.post('/v1/broadcasts?mode=test', { ...news, segmentId })
  assert.deepEqual([made.status, made.body.mode, made.body.segmentName], [201, 'test', 'All'], made.text)
  const path = `/v1/broadcasts/${made.body.id}`
  assert.equal((await marketer.get(`${path}/audience?mode=test`)).body.recipients, 2)
  assert.equal((await marketer.post(`${path}/send?mode=test`)).status, 200)
  assert.equal((await team.api.delete(`/v1/segments/${segmentId}`)).status, 409)
  await posthorn.runDueJobs()
  await posthorn.runDueJobsAfter(5000)
  assert.equal(sink.messages.length, 0)
  const { body: stats } = await marketer.get(`${path}/stats?mode=test`)
  assert.deepEqual([stats.total, stats.sent, stats.bounced, stats.skipped.unsubscribed], [3, 2, 1, 1])
  const inbox = (await marketer.get('/v1/inbox?mode=test')).body.data
  assert.deepEqual(inbox.map(({ subject }: { subject: string }) => subject).sort(), ['Hi ada', 'Hi bounce'])
  const { body: message } = await marketer.get(`/v1/inbox/${inbox[0].id}?mode=test`)
  assert.match(message.html, /unsubscribe\?token=\*\*\*/)
  assert.equal((await team.api.get('/v1/suppressions')).body.data.length, 0)
  assert.equal((await team.api.get(`/v1/contacts/${contacts[1]}`)).body.unsubscribed, false)
  assert.equal((await team.api.get('/v1/broadcasts')).body.data.length, 0)
  for (const part of ['', '/stats', '/audience', '/recipients']) {
    assert.equal((await team.api.get(`${path}${part}`)).status, 404)
    assert.equal((await trial.get(`${path}${part}`)).status, 404, `a test key does not see it: ${part}`)
  }
  assert.deepEqual((await trial.get('/v1/broadcasts')).body.data, [])
  assert.equal((await team.api.post(`${path}/send`)).status, 404)
  const live = await team.api.post('/v1/broadcasts', { ...news, from: `news@${team.domain}`, segmentId })
  await team.api.post(`/v1/broadcasts/${live.body.id}/send`)
  await posthorn.runDueJobs()
  assert.equal(live.body.mode, 'live')
  assert.equal(sink.messages.length, 2)
  assert.equal((await trial.get(`/v1/broadcasts/${live.body.id}`)).status, 404)
})

test('a test key names no live segment, topic or contact, and sends no draft that a person made for live people', async () => {
  const { team, trial, contacts, segmentId, news } = await withAudience()
  const { body: own } = await trial.post('/v1/segments', { name: 'Mine' })
  const { body: topic } = await team.api.post('/v1/topics', { name: 'News' })
  const unknown = await trial.post('/v1/broadcasts', { ...news, segmentId: topic.id })
  const refused = await trial.post('/v1/broadcasts', { ...news, segmentId })
  assert.deepEqual([refused.status, refused.text], [400, unknown.text])
  assert.equal((await trial.post('/v1/broadcasts', { ...news, segmentId: own.id, topicId: topic.id })).status, 400)
  const { body: made } = await trial.post('/v1/broadcasts', { ...news, segmentId: own.id })
  const path = `/v1/broadcasts/${made.id}`
  assert.equal((await trial.patch(path, { segmentId })).status, 400)
  assert.equal((await trial.patch(path, { topicId: topic.id })).status, 400)
  const to = ['developer@people.test']
  assert.equal((await trial.post(`${path}/test`, { to, contactId: contacts[0] })).status, 400)
  const preview = { kind: 'broadcast', subject: 'Hi {{firstName}}', contactId: contacts[0] }
  assert.equal((await trial.post('/v1/previews', preview)).status, 400)
  const { api: marketer } = await team.member('marketer')
  assert.equal((await marketer.post('/v1/previews?mode=test', preview)).body.subject, 'Hi ada')
  assert.equal((await marketer.post(`${path}/test?mode=test`, { to, contactId: contacts[0] })).status, 200)
  assert.equal((await marketer.patch(`${path}?mode=test`, { segmentId })).status, 200)
  assert.equal((await trial.post(`${path}/send`)).status, 404)
  assert.equal((await marketer.patch(`${path}?mode=test`, { segmentId: own.id })).status, 200)
  assert.equal((await trial.get(path)).body.segmentName, 'Mine')
})

test('a test contact gets a test broadcast although the person of that address has unsubscribed from live mail', async () => {
  const { trial, news } = await withAudience()
  const { body: segment } = await trial.post('/v1/segments', { name: 'Mine' })
  const { body: gone } = await trial.post('/v1/contacts', { email: 'gone@people.test', firstName: 'gone' })
  await trial.post(`/v1/segments/${segment.id}/contacts`, { contactIds: [gone.id] })
  const { body: made } = await trial.post('/v1/broadcasts', { ...news, segmentId: segment.id })
  await trial.post(`/v1/broadcasts/${made.id}/send`)
  await posthorn.runDueJobs()
  assert.equal((await trial.get('/v1/inbox')).body.data.length, 1)
})

test('a test key makes an audience of its own, and a broadcast to it is captured', async () => {
  const team = await posthorn.team()
  const { api: trial } = await team.newKey({ permission: 'full_access', mode: 'test' })
  const before = sink.messages.length
  const { body: segment } = await trial.post('/v1/segments', { name: 'All' })
  const { body: topic } = await trial.post('/v1/topics', { name: 'News' })
  const { body: ada } = await trial.post('/v1/contacts', { email: 'ada@people.test', firstName: 'Ada' })
  const { body: live } = await team.api.post('/v1/contacts', { email: 'ada@people.test', firstName: 'Live' })
  assert.equal((await trial.post(`/v1/segments/${segment.id}/contacts`, { contactIds: [live.id] })).status, 400)
  assert.equal((await trial.post(`/v1/segments/${segment.id}/contacts`, { contactIds: [ada.id] })).status, 200)
  assert.equal((await trial.post(`/v1/topics/${topic.id}/contacts`, { contactIds: [ada.id] })).status, 200)
  // A domain of the team that is not verified.
  await team.api.post('/v1/domains', { name: `new-${team.domain}` })
  const news = { name: 'News', from: `news@new-${team.domain}`, subject: 'Hi {{firstName}}', html: '<p>x</p>' }
  const ids = { segmentId: segment.id, topicId: topic.id }
  assert.equal((await team.api.post('/v1/broadcasts', { ...news, ...ids })).status, 400)
  const made = await trial.post('/v1/broadcasts', { ...news, ...ids })
  assert.deepEqual([made.status, made.body.segmentName], [201, 'All'], made.text)
  assert.equal((await trial.post(`/v1/broadcasts/${made.body.id}/send`)).status, 200)
  await posthorn.runDueJobs()
  assert.equal(sink.messages.length, before)
  assert.deepEqual(pluck((await trial.get('/v1/inbox')).body.data, 'subject'), ['Hi Ada'])
  assert.equal((await trial.get(`/v1/segments/${segment.id}`)).body.contactCount, 1)
  assert.equal((await team.api.get(`/v1/contacts/${live.id}`)).body.segments.length, 0)
})
