import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../test/app.ts'
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
  assert.deepEqual([sent.to, sent.text, sent.status], [[bob], 'Ask erased', 'sent'])
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
  assert.deepEqual([sent.to, sent.cc, sent.status], [[], ['bob@people.test'], 'sent'])
  assert.deepEqual(handed.at(-1)!.envelope.to, ['bob@people.test'])
})
