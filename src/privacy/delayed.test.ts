import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { createAudience } from '../broadcasts/fixtures/audience.ts'
import { absent, accepted, toldProvider } from '../emails/messages/dispatch/fixtures/told-provider.ts'
import { ask } from './fixtures/ask.ts'
import { searchDatabase } from './fixtures/search-database.ts'

const { provider, handed, told } = toldProvider()
const posthorn = await createTestApp({}, { emailProvider: provider })

test('an erasure ends while mail to the person is delayed, which then goes to the others alone', async () => {
  const team = await posthorn.team()
  const [ada, bob] = ['ada@people.test', 'bob@people.test']
  const email = { from: `shop@${team.domain}`, subject: 'Hello', text: `Ask ${ada}` }
  told.answer = absent
  const { id: alone } = await ok(team.api.post('/v1/emails', { ...email, to: [ada] }))
  const { id: shared } = await ok(team.api.post('/v1/emails', { ...email, to: [bob, ada] }))
  assert.equal((await ok(team.api.get(`/v1/emails/${shared}`))).status, 'delayed')
  const { api, path } = await ask(team, { type: 'erase', email: ada })
  await posthorn.runDueJobs()
  assert.equal((await ok(api.get(path))).status, 'done')
  assert.deepEqual(await searchDatabase(posthorn, [ada]), [])
  told.answer = accepted
  const before = handed.length
  await posthorn.runDueJobsAfter(24 * 3_600_000 - 60_000)
  assert.equal((await team.api.get(`/v1/emails/${alone}`)).status, 404)
  const sent = await ok(team.api.get(`/v1/emails/${shared}`))
  assert.deepEqual([sent.to, sent.text, sent.status], [[bob, 'erased'], 'Ask erased', 'sent'])
  assert.equal(handed.length, before + 1)
})

test('an erasure of the only addressee leaves a scheduled email to its other recipients', async () => {
  const team = await posthorn.team()
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 3_600_000).toISOString()
  const email = { from: `shop@${team.domain}`, subject: 'Hello', text: 'Hello', scheduledAt }
  const { id } = await ok(team.api.post('/v1/emails', { ...email, to: ['ada@people.test'], cc: ['bob@people.test'] }))
  const { api, path } = await ask(team, { type: 'erase', email: 'ada@people.test' })
  await posthorn.runDueJobs()
  assert.equal((await ok(api.get(path))).status, 'done')
  told.answer = accepted
  await posthorn.runDueJobsAfter(3_600_000)
  const sent = await ok(team.api.get(`/v1/emails/${id}`))
  assert.deepEqual([sent.to, sent.cc, sent.status], [['erased'], ['bob@people.test'], 'sent'])
  assert.deepEqual(handed.at(-1)!.envelope.to, ['bob@people.test'])
})

slowTest(
  'a scheduled email is deleted once each of its recipients was erased, and no longer counts as scheduled',
  async () => {
    const team = await posthorn.team({ limits: { scheduledEmails: 1 } })
    const people = ['ada@people.test', 'bob@people.test']
    const scheduledAt = new Date(posthorn.clock.now().getTime() + 3_600_000).toISOString()
    const email = { from: `shop@${team.domain}`, subject: 'Hello', text: 'Hello', scheduledAt }
    const { id } = await ok(team.api.post('/v1/emails', { ...email, to: people }))
    for (const person of people) {
      const { api, path } = await ask(team, { type: 'erase', email: person })
      await posthorn.runDueJobs()
      assert.equal((await ok(api.get(path))).status, 'done')
    }
    assert.equal((await team.api.get(`/v1/emails/${id}`)).status, 404)
    await ok(team.api.post('/v1/emails', { ...email, to: ['cy@people.test'] }))
    const before = handed.length
    await posthorn.runDueJobsAfter(3_600_000)
    assert.equal(handed.length, before + 1)
  },
)

test('an erasure of an email whose sending failed leaves the count of the emails that are scheduled still', async () => {
  const team = await posthorn.team({ limits: { scheduledEmails: 2 } })
  const schedule = (to: string, hours: number) => {
    const scheduledAt = new Date(posthorn.clock.now().getTime() + hours * 3_600_000).toISOString()
    return team.api.post('/v1/emails', { from: `shop@${team.domain}`, to: [to], subject: 'Hello', scheduledAt })
  }
  const { id } = await ok(schedule('ada@people.test', 1))
  await ok(schedule('bob@people.test', 24))
  const domain = posthorn.app.db.updateTable('domains').where('id', '=', team.domainId)
  await domain.set({ dkim_private_key: 'nonsense' }).execute()
  await posthorn.runDueJobsAfter(3_600_000)
  assert.equal((await ok(team.api.get(`/v1/emails/${id}`))).status, 'scheduled')
  const { api, path } = await ask(team, { type: 'erase', email: 'ada@people.test' })
  await posthorn.runDueJobs()
  assert.equal((await ok(api.get(path))).status, 'done')
  await ok(schedule('cy@people.test', 24))
  assert.equal((await schedule('dora@people.test', 24)).status, 422)
})

test('a broadcast ends after an erasure of a person whose email of it was delayed, and counts them as skipped', async () => {
  const team = await posthorn.team()
  const [ada, bob] = ['ada@people.test', 'bob@people.test']
  const { segmentId } = await createAudience(posthorn, team, [{ email: ada }, { email: bob }])
  const fields = { name: 'News', from: `news@${team.domain}`, segmentId, subject: 'News', text: 'Hello' }
  const { id } = (await team.api.post('/v1/broadcasts', fields)).body
  told.answer = absent
  await ok(team.api.post(`/v1/broadcasts/${id}/send`))
  await posthorn.runDueJobs()
  assert.deepEqual(
    (await ok(team.api.get('/v1/emails'))).data.map(({ status }: { status: string }) => status),
    ['delayed', 'delayed'],
  )
  const { api, path } = await ask(team, { type: 'erase', email: ada })
  await posthorn.runDueJobs()
  assert.equal((await ok(api.get(path))).status, 'done')
  assert.equal((await team.api.get('/v1/rate-limits')).body.usage.emailsSentToday, 1)
  told.answer = accepted
  await posthorn.runDueJobsAfter(3_600_000)
  await posthorn.runDueJobsAfter(10_000)
  assert.equal((await ok(team.api.get(`/v1/broadcasts/${id}`))).status, 'sent')
  const { total, sent, skipped } = await ok(team.api.get(`/v1/broadcasts/${id}/stats`))
  assert.deepEqual([total, sent, skipped], [2, 1, { unsubscribed: 1, suppressed: 0, notOptedIn: 0 }])
  await ok(team.api.delete(`/v1/segments/${segmentId}`))
})

test('emails of a broadcast that are sent after an erasure do not show the person that its text named', async () => {
  const team = await posthorn.team()
  const ada = 'ada@people.test'
  const { segmentId } = await createAudience(posthorn, team, [{ email: 'bob@people.test' }])
  const fields = { name: 'News', from: `news@${team.domain}`, segmentId, subject: 'News', text: `Ask ${ada}` }
  const { id } = (await team.api.post('/v1/broadcasts', fields)).body
  told.answer = absent
  await ok(team.api.post(`/v1/broadcasts/${id}/send`))
  await posthorn.runDueJobs()
  assert.ok(handed.at(-1)!.raw.includes(ada))
  const { api, path } = await ask(team, { type: 'erase', email: ada })
  await posthorn.runDueJobs()
  assert.equal((await ok(api.get(path))).status, 'done')
  told.answer = accepted
  await posthorn.runDueJobsAfter(3_600_000)
  assert.ok(handed.at(-1)!.raw.includes('Ask erased'))
  const [email] = (await ok(team.api.get('/v1/emails'))).data
  const { status, text } = await ok(team.api.get(`/v1/emails/${email.id}`))
  assert.equal(status, 'sent')
  assert.match(text, /^Ask erased\n/)
})
