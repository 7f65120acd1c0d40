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
  assert.equal((await trial.get(`/v1/contacts/${contacts[0]}`)).status, 200)
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

test('what could start a live workflow is refused for test keys', async () => {
  const team = await posthorn.team()
  const { body: key } = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  const trial = posthorn.as(key.key)
  assert.equal((await trial.post('/v1/contacts', { email: 'ada@people.test' })).status, 403)
  assert.equal((await trial.post('/v1/workflows', { name: 'x' })).status, 403)
})
