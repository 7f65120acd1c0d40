import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/patience.ts'
import { countWaiting } from '../../test/while-locked.ts'
import type { Tx } from '../context.ts'
import { publish } from '../platform/events.ts'
import { createWebhookApp, emailId, makeWebhook } from './fixtures/app.ts'

const posthorn = await createWebhookApp()
const { app } = posthorn

/** Tells whether the work waits for a lock before it ends. */
async function comesToWait(work: Promise<unknown>): Promise<boolean> {
  let ended = false
  void work.finally(() => {
    ended = true
  })
  await until(async () => ended || (await countWaiting(app)) > 0)
  return !ended
}

/** Runs `work` while a transaction that has done `first` is still open. */
async function beside<T>(first: (tx: Tx) => Promise<unknown>, work: () => Promise<T>) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const open = app.transaction(async (tx) => {
    await first(tx)
    begin()
    await ended
  })
  await begun
  const working = work()
  const waited = await comesToWait(working)
  end()
  await open
  return { waited, result: await working }
}

test('a delivery is not replayed while its webhook is being switched off', async () => {
  const { team, webhook } = await posthorn.setUp()
  await posthorn.happenNow(team.id)
  const [delivery] = (await webhook.deliveries()).data
  const { result } = await beside(
    ({ db }) => db.updateTable('webhooks').set({ status: 'inactive' }).where('id', '=', webhook.id).execute(),
    () => team.api.post(`${webhook.path}/deliveries/${delivery.id}/replay`),
  )
  assert.equal(result.status, 409)
  assert.equal((await webhook.deliveries()).data.length, 1)
})

test('an event does not wait for webhooks that do not subscribe to it', async () => {
  const { team, receiver, webhook } = await posthorn.setUp(['email.opened'])
  await makeWebhook(team.api, receiver.url, ['email.sent'])
  const { waited } = await beside(
    ({ db }) => db.selectFrom('webhooks').select('id').where('id', '=', webhook.id).forUpdate().execute(),
    () => posthorn.happen(team.id, 'email.sent'),
  )
  assert.equal(waited, false)
  await posthorn.runDueJobs()
  assert.equal(receiver.received.length, 1)
})

test('events of one webhook do not wait for one another, while it has a job', async () => {
  const { team, receiver } = await posthorn.setUp()
  await posthorn.happen(team.id)
  const { waited } = await beside(
    (tx) =>
      publish(tx, [{ type: 'email.delivered', teamId: team.id, data: { emailId, recipient: null, details: null } }]),
    () => posthorn.happen(team.id),
  )
  assert.equal(waited, false)
  await posthorn.runDueJobs()
  assert.equal(receiver.received.length, 3)
})
