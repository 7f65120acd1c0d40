import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../test/patience.ts'
import { slowTest } from '../../../test/slow.ts'
import { publish } from '../../platform/events.ts'
import { createWebhookApp, emailId } from '../fixtures/app.ts'

const posthorn = await createWebhookApp()
const { db } = posthorn.app
const otherProcess = '01890a5d-ac96-774b-bcce-b302099a8057'

test('an attempt that another process has recorded meanwhile counts once', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  receiver.answer = async (response) => {
    // While this process was suspended, another one took over, tried and failed.
    await db
      .updateTable('webhook_deliveries')
      .set({ attempts: 1, response_status_code: 500, due_at: new Date(posthorn.clock.now().getTime() + 60_000) })
      .where('webhook_id', '=', webhook.id)
      .execute()
    receiver.answer = 200
    response.end()
  }
  await posthorn.happenNow(team.id)
  const [late] = (await webhook.deliveries()).data
  assert.deepEqual([late.status, late.attempts, late.responseStatusCode], ['pending', 1, 500])
  await posthorn.runDueJobsAfter(60_000)
  const [done] = (await webhook.deliveries()).data
  assert.deepEqual([done.status, done.attempts, done.responseStatusCode], ['delivered', 2, 200])
})

slowTest(
  'a process that lost the endpoint to another one takes no more of its deliveries, and none is lost',
  async () => {
    const { team, receiver, webhook } = await posthorn.setUp()
    const held: ServerResponse[] = []
    receiver.answer = (response) => held.push(response)
    for (let count = 0; count < 100; count++) await posthorn.happen(team.id)
    const working = posthorn.runDueJobs()
    await receiver.until(4)
    const leaseEnd = new Date(posthorn.clock.now().getTime() + 30_000)
    const ownJob = db
      .updateTable('jobs')
      .set({ lease_token: otherProcess, run_at: leaseEnd })
      .where('key', '=', webhook.id)
    await ownJob.execute()
    receiver.answer = 200
    for (const response of held) response.end()
    await working
    const asked = receiver.received.length
    assert.ok(asked < 50, `${asked} requests`)
    // The other process dies, and its lease expires.
    await posthorn.runDueJobsAfter(30_000)
    assert.deepEqual((await webhook.deliveries('?status=pending')).data, [])
    assert.equal(receiver.received.length, 100)
  },
)

test('an event that is committed while its endpoint’s job ends is not overlooked', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  const committing = Promise.withResolvers<void>()
  let happening: Promise<unknown> | undefined
  receiver.answer = async (response) => {
    receiver.answer = 200
    const added = Promise.withResolvers<void>()
    happening = posthorn.app.transaction(async (tx) => {
      await publish(tx, [
        { type: 'email.delivered', teamId: team.id, data: { emailId, recipient: null, details: null } },
      ])
      added.resolve()
      await committing.promise
    })
    await added.promise
    response.end()
  }
  await posthorn.happen(team.id)
  const working = posthorn.runDueJobs()
  await until(async () => (await webhook.deliveries('?status=delivered')).data.length > 0)
  // Enough time to release the endpoint if the lock did not prevent it.
  await sleep(50)
  committing.resolve()
  await happening
  await working
  await posthorn.runDueJobs()
  assert.equal(receiver.received.length, 2)
})
