import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { until } from '../../../../test/patience.ts'
import { ask } from '../../../privacy/fixtures/ask.ts'
import { newNumber, obedientProvider, openShop, webhookSecret } from '../../fixtures/shop.ts'
import type { WhatsappAnswer } from '../../provider.ts'

const { provider, sent } = obedientProvider()
const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret }, { whatsappProvider: provider })
const shop = await openShop(posthorn)
const template = await shop.template('Hello')

const answers: WhatsappAnswer[] = [
  { kind: 'accepted', providerMessageId: 'wamid.erased', data: null },
  { kind: 'refused', message: 'Recipient is not on WhatsApp', data: null },
  { kind: 'unknown', message: 'the connection was lost' },
  { kind: 'unavailable', message: 'connect ECONNREFUSED.' },
]
for (const answer of answers) {
  test(`a message whose recipient is erased while the provider is asked says so if it is ${answer.kind}`, async () => {
    const [to, key] = [newNumber(), { 'idempotency-key': answer.kind }]
    const { promise, resolve } = Promise.withResolvers<WhatsappAnswer>()
    const accepting = provider.send
    provider.send = (message) => {
      sent.push(message)
      provider.send = accepting
      return promise
    }
    const before = sent.length
    const sending = shop.send({ to, templateId: template.id }, key)
    await until(() => sent.length > before)
    await ask(shop.team, { type: 'erase', phoneNumber: to })
    await posthorn.runDueJobs()
    resolve(answer)
    const { status, body } = await sending
    if (answer.kind === 'unavailable') assert.deepEqual([status, body.name], [502, 'provider_error'])
    else {
      assert.deepEqual([status, body.name], [409, 'conflict'])
      assert.match(body.message, /was deleted while it was being sent/)
    }
    const repeated = await shop.send({ to, templateId: template.id }, key)
    assert.deepEqual([repeated.status, repeated.body.name], [422, 'recipient_erased'])
    await posthorn.runDueJobsAfter(posthorn.app.jobs.leaseMs)
    assert.equal(sent.length, before + 1)
  })
}
