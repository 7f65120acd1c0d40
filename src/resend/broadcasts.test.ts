import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowTest } from '../../test/slow.ts'
import { createResendApp, given, refused } from './fixtures/client.ts'

const { posthorn, setUp } = await createResendApp()

async function prepare() {
  const { team, resend } = await setUp()
  const { id: segmentId } = await given(resend.segments.create({ name: 'All' }))
  const from = `Shop <news@${team.domain}>`
  return { team, resend, segmentId, from, news: { segmentId, from, subject: 'June news', html: '<p>News</p>' } }
}

test('a broadcast fills in Resend’s placeholders and shows its preview first', async () => {
  const { resend, team, news, segmentId } = await prepare()
  const segments = [{ id: segmentId }]
  await given(resend.contacts.create({ email: 'ada@example.com', firstName: 'Ada <3', segments }))
  await given(resend.contacts.create({ email: 'bob@example.com', segments, properties: { city: 'Rome' } }))
  const html =
    '<html><body><p>Hi {{{FIRST_NAME|there}}} {{{contact.email}}} {{{contact.city|here}}} <a href="{{{RESEND_UNSUBSCRIBE_URL}}}">leave</a></p></body></html>'
  const { id } = await given(resend.broadcasts.create({ ...news, html, previewText: 'Short & new', send: true }))
  for (let n = 0; n < 5; n++) await posthorn.runDueJobs()
  const { data } = await given(resend.emails.list())
  const bodies = await Promise.all(data.map(async (email) => (await given(resend.emails.get(email.id))).html!))
  const [ada, bob] = ['ada', 'bob'].map((name) => bodies.find((body) => body.includes(`${name}@example.com`))!)
  assert.match(
    ada!,
    /<body><div data-preview [^>]*>Short &amp; new<\/div><p>Hi Ada &lt;3 ada@example\.com here <a href="http/,
  )
  assert.match(bob!, /Hi there bob@example\.com Rome/)
  const read = await given(resend.broadcasts.get(id))
  assert.deepEqual([read.status, read.preview_text, read.name], ['sent', 'Short & new', 'June news'])
  assert.match(read.html!, /Hi \{\{\{FIRST_NAME\|there\}\}\} .*\{\{\{RESEND_UNSUBSCRIBE_URL\}\}\}/)
  assert.ok(!read.html!.includes('data-preview'))
  assert.equal((await team.api.get(`/v1/broadcasts/${id}`)).body.status, 'sent')
})

test('a broadcast is made, changed, duplicated, sent later, cancelled and removed', async () => {
  const { resend, news, segmentId, from } = await prepare()
  const { id } = await given(resend.broadcasts.create({ ...news, name: 'News', replyTo: 'help@example.com' }))
  const { created_at: _at, ...read } = await given(resend.broadcasts.get(id))
  const { text, ...shown } = read
  assert.equal(text, 'News')
  assert.deepEqual(shown, {
    ...{ object: 'broadcast', id, name: 'News', segment_id: segmentId, audience_id: segmentId, status: 'draft', from },
    ...{ subject: 'June news', reply_to: ['help@example.com'], preview_text: null, html: '<p>News</p>' },
    ...{ topic_id: null, scheduled_at: null, sent_at: null },
  })
  const same = { object: 'broadcast', id }
  assert.deepEqual(await given(resend.broadcasts.update(id, { name: 'July', previewText: 'Soon' })), same)
  const changed = await given(resend.broadcasts.get(id))
  assert.deepEqual([changed.name, changed.preview_text, changed.html], ['July', 'Soon', '<p>News</p>'])
  const copy = await given(resend.broadcasts.duplicate(id))
  assert.equal((await given(resend.broadcasts.get(copy.id))).preview_text, 'Soon')
  assert.deepEqual(await given(resend.broadcasts.send(id, { scheduledAt: 'in 2 hours' })), same)
  const waiting = await given(resend.broadcasts.get(id))
  const at = new Date(posthorn.clock.now().getTime() + 2 * 3_600_000).toISOString()
  assert.deepEqual([waiting.status, waiting.scheduled_at], ['queued', at])
  assert.deepEqual((await refused(resend.broadcasts.update(id, { name: 'x' }))).slice(0, 2), [422, 'validation_error'])
  assert.deepEqual(await given(resend.broadcasts.cancel(id)), same)
  const { data, has_more } = await given(resend.broadcasts.list({ after: copy.id }))
  assert.deepEqual([data.map((one) => [one.id, one.status]), has_more], [[[id, 'draft']], false])
  assert.deepEqual(await given(resend.broadcasts.remove(id)), { ...same, deleted: true })
  assert.deepEqual((await refused(resend.broadcasts.get(id))).slice(0, 2), [404, 'not_found'])
})

slowTest('a list ahead of an id leaves out no broadcast, however large they are', async () => {
  const { resend, news } = await prepare()
  const ids: string[] = []
  const html = 'x'.repeat(1_000_000)
  for (let n = 0; n < 8; n++) ids.unshift((await given(resend.broadcasts.create({ ...news, html }))).id)
  const listed: string[] = []
  for (let more = true; more; ) {
    const page = await given(resend.broadcasts.list({ before: listed[0] ?? ids[7]! }))
    listed.unshift(...page.data.map(({ id }) => id))
    more = page.has_more
  }
  assert.deepEqual(listed, ids.slice(0, 7))
})

test('a send that is repeated with its key and another time is refused', async () => {
  const { team, resend, news } = await prepare()
  const { id } = await given(resend.broadcasts.create(news))
  const send = (scheduled_at: string) =>
    team.api.post(`/resend/broadcasts/${id}/send`, { scheduled_at }, { 'idempotency-key': `send ${id}` })
  const first = await send('in 2 hours')
  posthorn.clock.advance(1000)
  assert.deepEqual([(await send('in 2 hours')).body, first.status], [first.body, 200])
  assert.equal((await send('in 3 hours')).status, 409)
})

test('a topic whose default is opt_in reaches contacts without a record, and none that opted out', async () => {
  const { resend, news, segmentId } = await prepare()
  const { id: topicId } = await given(resend.topics.create({ name: 'News', defaultSubscription: 'opt_in' }))
  const segments = [{ id: segmentId }]
  await given(resend.contacts.create({ email: 'ada@example.com', segments }))
  const topics = [{ id: topicId, subscription: 'opt_out' as const }]
  await given(resend.contacts.create({ email: 'bob@example.com', segments, topics }))
  await given(resend.broadcasts.create({ ...news, topicId, send: true }))
  for (let n = 0; n < 5; n++) await posthorn.runDueJobs()
  assert.deepEqual(
    (await given(resend.emails.list())).data.map(({ to }) => to),
    [['ada@example.com']],
  )
})

test('what a broadcast lacks or may not have is refused', async () => {
  const { resend, news } = await prepare()
  const cases: [object, [number, string]][] = [
    [{ segmentId: undefined }, [422, 'missing_required_field']],
    [{ from: undefined }, [422, 'missing_required_field']],
    [{ subject: undefined }, [422, 'missing_required_field']],
    [{ html: undefined }, [422, 'missing_required_field']],
    [{ from: 'a@nobodys.test', send: true }, [403, 'validation_error']],
    [{ scheduledAt: 'in 1 day' }, [422, 'validation_error']],
    [{ segmentId: '01890a5d-ac96-774b-bcce-b302099a8057' }, [422, 'validation_error']],
  ]
  for (const [change, expected] of cases) {
    const error = await refused(resend.broadcasts.create({ ...news, ...change } as typeof news))
    assert.deepEqual(error.slice(0, 2), expected, JSON.stringify([change, error]))
  }
  assert.deepEqual((await given(resend.broadcasts.list())).data, [])
})

test('a draft that cannot be sent keeps the time that it had', async () => {
  const { resend, team, news, segmentId } = await prepare()
  const { id } = await given(resend.broadcasts.create(news))
  await given(resend.segments.remove(segmentId))
  const answer = await refused(resend.broadcasts.send(id, { scheduledAt: 'in 2 hours' }))
  assert.deepEqual(answer.slice(0, 2), [422, 'validation_error'])
  const { body } = await team.api.get(`/v1/broadcasts/${id}`)
  assert.deepEqual([body.status, body.scheduledAt], ['draft', null])
})
