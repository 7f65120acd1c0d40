import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { inactiveSender } from '../../../phone/hand-over.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { ask } from '../../../privacy/fixtures/ask.ts'
import { runPrivacyJob } from '../../../privacy/jobs.ts'
import { newNumber, obedientProvider, openShop, webhookSecret } from '../../fixtures/shop.ts'
import { acceptWhatsapp } from '../accept/accept.ts'
import { recordHanded } from './record.ts'

const { provider, sent } = obedientProvider()
const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret }, { whatsappProvider: provider })

/** Accepts a message as a process does that dies before it hands it over. */
async function acceptAndDie() {
  const shop = await openShop(posthorn)
  const to = newNumber()
  await shop.write(to, 'Hi')
  const command = { kind: 'text' as const, senderId: shop.senderId, to, body: 'Hello' }
  const accepted = (await acceptWhatsapp(posthorn.app, { teamId: shop.team.id, command, key: null }))!
  return { shop, to, ...accepted }
}

test('a refusal of ours is not recorded by a process that has lost the message to another', async () => {
  const { shop, id, job } = await acceptAndDie()
  const { app } = posthorn
  await app.db.updateTable('jobs').set({ lease_token: crypto.randomUUID() }).where('key', '=', id).execute()
  await assert.rejects(recordHanded(app, { job, answer: inactiveSender, key: null }), LeaseLost)
  assert.equal((await shop.message(id)).status, 'accepted')
})

test('a message that waits is not sent once its recipient is to be erased', async () => {
  const { shop, to, id } = await acceptAndDie()
  await ask(shop.team, { type: 'erase', phoneNumber: to })
  const { app, clock } = posthorn
  // The erasure reaches the message later.
  const later = { run_at: new Date(clock.now().getTime() + 10 * app.jobs.leaseMs) }
  await app.db.updateTable('jobs').set(later).where('kind', '=', runPrivacyJob.kind).execute()
  await posthorn.runDueJobsAfter(app.jobs.leaseMs)
  assert.deepEqual(
    [sent.filter(({ messageId }) => messageId === id).length, (await shop.message(id)).status],
    [0, 'failed'],
  )
})
