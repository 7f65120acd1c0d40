import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { until } from '../../test/patience.ts'
import { absent, accepted, toldProvider } from '../emails/messages/dispatch/fixtures/told-provider.ts'
import { ask } from '../privacy/fixtures/ask.ts'
import { createAudience, readers } from './fixtures/audience.ts'

const { provider, told, handed } = toldProvider()
const posthorn = await createTestApp({}, { emailProvider: provider })

async function begin(count: number) {
  const team = await posthorn.team()
  const contacts = readers(count)
  const { segmentId, contactIds } = await createAudience(posthorn, team, contacts)
  const fields = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'x' }
  const { id } = await ok(team.api.post('/v1/broadcasts', fields), 201)
  await ok(team.api.post(`/v1/broadcasts/${id}/send`))
  return { team, id, contacts, contactIds }
}

/** Returns the statuses of the recipients in the order of the contacts. */
async function statusesOf(team: TestTeam, id: string, contactIds: string[]): Promise<string[]> {
  const { data } = await ok(team.api.get(`/v1/broadcasts/${id}/recipients`))
  return contactIds.map((of) => data.find(({ contactId }: { contactId: string }) => contactId === of).status)
}

test('an email that is erased while it waits for the relay is not queued any more, also after its broadcast has ended', async () => {
  const { team, id, contacts, contactIds } = await begin(2)
  const { promise: isCancelled, resolve: goOn } = Promise.withResolvers<void>()
  told.answer = (message) => isCancelled.then(() => absent(message))
  const running = posthorn.runDueJobs()
  await until(() => handed.length === 2)
  assert.equal((await ok(team.api.post(`/v1/broadcasts/${id}/cancel`))).status, 'sent')
  goOn()
  await running
  assert.deepEqual(await statusesOf(team, id, contactIds), ['queued', 'queued'])
  const { api, path } = await ask(team, { type: 'erase', email: contacts[0]!.email })
  await posthorn.runDueJobs()
  assert.equal((await ok(api.get(path))).status, 'done')
  assert.deepEqual(await statusesOf(team, id, contactIds), ['unsubscribed', 'queued'])
  told.answer = accepted
  await posthorn.runDueJobsAfter(60_000)
  const { total, sent, skipped } = await ok(team.api.get(`/v1/broadcasts/${id}/stats`))
  assert.deepEqual([total, sent, skipped.unsubscribed], [2, 1, 1])
})

test('the erasure of an email that was handed over leaves the recipient sent', async () => {
  told.answer = accepted
  const { team, id, contacts, contactIds } = await begin(1)
  await posthorn.runDueJobs()
  const before = await statusesOf(team, id, contactIds)
  await ask(team, { type: 'erase', email: contacts[0]!.email })
  await posthorn.runDueJobs()
  assert.deepEqual([before, await statusesOf(team, id, contactIds)], [['sent'], ['sent']])
})
