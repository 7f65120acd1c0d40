import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { slowTest } from '../../../../test/slow.ts'
import { scriptedProvider } from '../../../sms/fixtures/scripted-provider.ts'
import { makeWebhook } from '../../../webhooks/fixtures/app.ts'
import { deliverToEndpointJob } from '../../../webhooks/jobs.ts'
import { enqueueJob } from '../enqueue.ts'
import { listJobs } from '../list.ts'
import { discardJob, retryJob } from './retry.ts'

const smsProvider = scriptedProvider()
const posthorn = await createTestApp({}, { smsProvider })
const { app } = posthorn
const dayMs = 86_400_000

async function jobsOf(kind: string, key: string) {
  const jobs = await Array.fromAsync(listJobs(app.db, { kind, isFailing: false, isDiscarded: false }))
  return jobs.filter((job) => job.key === key)
}

async function runFor(ms: number, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await posthorn.runDueJobsAfter(ms / steps)
  }
}

test('a discarded job cannot run again beside a newer one of the same thing', async () => {
  const team = await posthorn.team()
  const owner = await team.member('owner')
  assert.equal((await owner.api.patch('/v1/team/retention', { emailBodiesDays: 1 })).status, 200)
  await runFor(20_000, 2)
  const [job] = await jobsOf('retention.remove-old', team.id)
  await discardJob(app, job!.id)
  await runFor(20_000, 2)
  const [waiting, discarded] = (await jobsOf('retention.remove-old', team.id)).sort((a, b) =>
    a.state < b.state ? 1 : -1,
  )
  assert.deepEqual([waiting!.state, discarded!.state, discarded!.id], ['waiting', 'discarded', job!.id])
  await assert.rejects(retryJob(app, job!.id), new RegExp(`a newer retention.remove-old of ${team.id} waits`))
  assert.equal(await retryJob(app, waiting!.id), 'was waiting')
})

slowTest(
  'a sender whose verification keeps failing is as it was before, and its team can verify it again',
  async () => {
    const team = await posthorn.team()
    const { body: sender } = await team.api.post('/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
    smsProvider.onRegister = () => {
      throw new Error('The answer cannot be read.')
    }
    const asked = await team.api.post(`/v1/sms/senders/${sender.id}/verify`)
    assert.equal(asked.status, 500)
    await runFor(2 * dayMs, 60)
    assert.equal((await team.api.get(`/v1/sms/senders/${sender.id}`)).body.status, 'not_started')
    const [job] = await jobsOf('sms.verify-sender', sender.id)
    assert.equal(job!.state, 'discarded')
    await assert.rejects(retryJob(app, job!.id), /Its team verifies it again/)
    smsProvider.onRegister = () => ({ kind: 'active', providerRef: 'ref' })
    assert.equal((await team.api.post(`/v1/sms/senders/${sender.id}/verify`)).body.status, 'active')
  },
)

test('the deliveries of a deleted webhook cannot run again', async () => {
  const team = await posthorn.team()
  const webhook = await makeWebhook(team.api, 'https://hooks.example/posthorn')
  await app.transaction((tx) => enqueueJob(tx, deliverToEndpointJob, { key: webhook.id, teamId: team.id }))
  const [job] = await jobsOf('webhooks.deliver', webhook.id)
  await discardJob(app, job!.id)
  assert.equal((await team.api.delete(webhook.path)).status, 200)
  await assert.rejects(retryJob(app, job!.id), /The webhook was deleted/)
})
