import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import { toldProvider } from '../emails/messages/dispatch/fixtures/told-provider.ts'
import { createAudience, readers, runFor } from './fixtures/audience.ts'

const [began, cancelled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
const emailProvider = {
  ...toldProvider().provider,
  async send({ envelope }: { envelope: { to: string[] } }) {
    began.resolve()
    await cancelled.promise
    const data = { bounce: { bounceType: 'Transient', bounceSubType: 'General' } }
    const facts = envelope.to.map((recipient) => {
      return { type: 'bounced' as const, recipient, permanent: true, suppress: false, data }
    })
    return { kind: 'answered' as const, accepted: [], facts, response: '550 5.7.1 no' }
  },
}
const posthorn = await createTestApp({}, { emailProvider })

test('the figures add up after a cancel, also if the relay then refuses the emails under way', async () => {
  const team = await posthorn.team()
  const { segmentId } = await createAudience(posthorn, team, readers(3))
  const fields = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'x' }
  const { id } = (await team.api.post('/v1/broadcasts', fields)).body
  await team.api.post(`/v1/broadcasts/${id}/send`)
  const running = posthorn.runDueJobs()
  await began.promise
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/cancel`)).status, 200)
  cancelled.resolve()
  await running
  await runFor(posthorn, 3)
  const { total, sent, skipped } = (await team.api.get(`/v1/broadcasts/${id}/stats`)).body
  assert.equal(total, sent + (skipped.cancelled ?? 0), JSON.stringify({ total, sent, skipped }))
  const waiting = (await team.api.get(`/v1/broadcasts/${id}/recipients?status=queued`)).body.data
  assert.deepEqual(waiting, [])
})
