import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '../app.ts'
import { startSink } from '../smtp-sink.ts'

const sink = await startSink()
after(() => sink.close())
const posthorn = await createTestApp({ EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: sink.url })

test('a broadcast of a test key is captured to the end, and one of a live key is sent', async () => {
  const team = await posthorn.team()
  const { body: key } = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  const trial = posthorn.as(key.key)
  const { body: segment } = await team.api.post('/v1/segments', { name: 'All' })
  const contacts = []
  for (const name of ['ada', 'bounce', 'gone']) {
    contacts.push((await team.api.post('/v1/contacts', { email: `${name}@people.test`, firstName: name })).body.id)
  }
  await team.api.post(`/v1/segments/${segment.id}/contacts`, { contactIds: contacts })
  await team.api.patch(`/v1/contacts/${contacts[2]}`, { unsubscribed: true })
  assert.equal((await trial.get(`/v1/contacts/${contacts[0]}`)).status, 404)
  const news = {
    name: 'News',
    from: 'news@nobodys.test',
    segmentId: segment.id,
    subject: 'Hi {{firstName}}',
    html: '<p>x</p>',
  }
  const made = await trial.post('/v1/broadcasts', news)
  assert.deepEqual([made.status, made.body.mode, made.body.segmentName], [201, 'test', 'All'], made.text)
  assert.equal((await trial.post(`/v1/broadcasts/${made.body.id}/send`)).status, 200)
  assert.equal((await team.api.delete(`/v1/segments/${segment.id}`)).status, 409)
  await posthorn.runDueJobs()
  posthorn.clock.advance(5000)
  await posthorn.runDueJobs()
  assert.equal(sink.messages.length, 0)
  const { body: stats } = await trial.get(`/v1/broadcasts/${made.body.id}/stats`)
  assert.deepEqual([stats.total, stats.sent, stats.bounced, stats.skipped.unsubscribed], [3, 2, 1, 1])
  assert.equal((await trial.get(`/v1/broadcasts/${made.body.id}`)).body.status, 'sent')
  const inbox = (await trial.get('/v1/inbox')).body.data
  assert.deepEqual(inbox.map(({ subject }: { subject: string }) => subject).sort(), ['Hi ada', 'Hi bounce'])
  const { body: message } = await trial.get(`/v1/inbox/${inbox[0].id}`)
  assert.match(message.html, /unsubscribe\?token=\*\*\*/)
  assert.equal((await team.api.get('/v1/suppressions')).body.data.length, 0)
  assert.equal((await team.api.get(`/v1/contacts/${contacts[1]}`)).body.unsubscribed, false)
  assert.equal((await team.api.get('/v1/broadcasts')).body.data.length, 0)
  for (const path of ['', '/stats']) {
    assert.equal((await team.api.get(`/v1/broadcasts/${made.body.id}${path}`)).status, 404)
  }
  assert.equal((await team.api.post(`/v1/broadcasts/${made.body.id}/send`)).status, 404)
  const live = await team.api.post('/v1/broadcasts', { ...news, from: `news@${team.domain}` })
  await team.api.post(`/v1/broadcasts/${live.body.id}/send`)
  await posthorn.runDueJobs()
  assert.equal(live.body.mode, 'live')
  assert.equal(sink.messages.length, 2)
  assert.equal((await trial.get(`/v1/broadcasts/${live.body.id}`)).status, 404)
})

test('a test key makes an audience of its own, and a broadcast to it is captured', async () => {
  const team = await posthorn.team()
  const { body: key } = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  const trial = posthorn.as(key.key)
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
  assert.deepEqual(
    (await trial.get('/v1/inbox')).body.data.map(({ subject }: { subject: string }) => subject),
    ['Hi Ada'],
  )
  assert.equal((await trial.get(`/v1/segments/${segment.id}`)).body.contactCount, 1)
  assert.equal((await team.api.get(`/v1/contacts/${live.id}`)).body.segments.length, 0)
})
