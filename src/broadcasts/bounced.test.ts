import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { createWorld } from '../emails/providers/direct/fixtures/world.ts'
import { createAudience } from './fixtures/audience.ts'

const world = await createWorld()
const { posthorn } = world

/** Sends a broadcast to an address at a host that answers RCPT so, and returns what each place then says of it. */
async function sendToHost(domain: string, address: string, answer: string, hours: number) {
  await world.script(address, (verb) => (verb === 'RCPT' ? `${answer}\r\n` : undefined))
  world.domainAt(domain, address)
  const { team, domain: from } = await world.sender()
  const { segmentId } = await createAudience(posthorn, team, [{ email: `ada@${domain}` }])
  const draft = { name: 'News', from: `a@${from}`, segmentId, subject: 'News', text: 'x' }
  const { id } = await ok(team.api.post('/v1/broadcasts', draft), 201)
  await ok(team.api.post(`/v1/broadcasts/${id}/send`))
  await posthorn.runDueJobs()
  for (let passed = 0; passed < hours; passed++) await posthorn.runDueJobsAfter(3_600_000)
  const { data: recipients } = await ok(team.api.get(`/v1/broadcasts/${id}/recipients`))
  const { total } = await ok(team.api.get(`/v1/metrics/emails?broadcastId=${id}`))
  const { sent, bounced, skipped } = await ok(team.api.get(`/v1/broadcasts/${id}/stats`))
  assert.deepEqual(skipped, { unsubscribed: 0, suppressed: 0, notOptedIn: 0 })
  return {
    email: (await ok(team.api.get(`/v1/emails/${recipients[0].emailId}`))).status,
    metrics: total.bounced,
    recipient: recipients[0].status,
    listed: (await ok(team.api.get(`/v1/broadcasts/${id}/recipients?status=bounced`))).data.length,
    stats: { sent, bounced },
    suppressed: (await ok(team.api.get('/v1/suppressions'))).data.length,
  }
}

const agreed = { email: 'bounced', metrics: 1, recipient: 'bounced', listed: 1, stats: { sent: 1, bounced: 1 } }

test('a mailbox that is full counts as bounced in the status, metrics, stats and recipients of a broadcast', async () => {
  const said = await sendToHost('full.test', '127.0.6.20', '552 5.2.2 The mailbox is full', 0)
  assert.deepEqual(said, { ...agreed, suppressed: 0 })
})

slowTest('an email of a broadcast that is given up after 24 hours counts as bounced in all its figures', async () => {
  const said = await sendToHost('later.test', '127.0.6.21', '450 4.2.0 Come again later', 26)
  assert.deepEqual(said, { ...agreed, suppressed: 0 })
})
