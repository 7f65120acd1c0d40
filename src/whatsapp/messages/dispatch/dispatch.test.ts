import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { createTestApp, ok } from '../../../../test/app.ts'
import { onServer } from '../../../../test/database.ts'
import { requestKey } from '../../../platform/idempotency/keys.ts'
import { discardJob } from '../../../platform/jobs/discarded/retry.ts'
import { holdBackDueJobs } from '../../../platform/jobs/restored/hold-back.ts'
import { newNumber, obedientProvider, openShop, webhookSecret } from '../../fixtures/shop.ts'
import { deliverWhatsappJob } from '../../jobs.ts'
import type { WhatsappAnswer } from '../../provider.ts'
import { acceptWhatsapp } from '../accept/accept.ts'
import type { AcceptedWhatsapp } from '../accept/accepted.ts'
import { dispatchNow } from './dispatch-now.ts'

const { provider, sent } = obedientProvider()
let database: pg.ClientConfig = {}
const through = async (config: pg.ClientConfig) => {
  database = config
  return config
}
const posthorn = await createTestApp(
  { WHATSAPP_WEBHOOK_SECRET: webhookSecret },
  { whatsappProvider: provider, through },
)
const leaseMs = 30_000

/** Sets the answer to the next send. Later sends are accepted again. */
function answerOnce(answer: WhatsappAnswer | (() => Promise<WhatsappAnswer>)): void {
  const accepting = provider.send
  provider.send = async (message) => {
    provider.send = accepting
    sent.push(message)
    return typeof answer === 'function' ? answer() : answer
  }
}

type Shop = Awaited<ReturnType<typeof openShop>>

async function openShopWithWindow(): Promise<Shop & { to: string }> {
  const shop = await openShop(posthorn)
  const to = newNumber()
  await shop.write(to, 'Hi')
  return { ...shop, to }
}

const typesOf = (message: { events: { type: string }[] }) => message.events.map(({ type }) => type)
const callsFor = (id: string) => sent.filter(({ messageId }) => messageId === id).length

test('the provider receives all it needs of a template and of text', async () => {
  const shop = await openShopWithWindow()
  const components = { footer: { type: 'FOOTER', text: 'The Shop' } }
  const template = await shop.template('Hello {{1}}', { language: 'pt-BR', components })
  const { id } = (await shop.send({ to: shop.to, templateId: template.id, variables: ['Ada'] })).body
  const address = { phoneNumberId: shop.phoneNumberId, wabaId: shop.wabaId, from: shop.number, to: shop.to }
  assert.deepEqual(sent.at(-1), {
    ...{ teamId: shop.team.id, messageId: id, ...address },
    content: {
      ...{ kind: 'template', name: template.name, language: 'pt-BR', components },
      ...{ variables: ['Ada'], body: 'Hello Ada' },
    },
  })
  await ok(shop.send({ to: shop.to, body: 'Hello' }))
  assert.deepEqual(sent.at(-1)!.content, { kind: 'text', body: 'Hello' })
})

test('a message that the provider refuses is stored as failed, and says why', async () => {
  const shop = await openShopWithWindow()
  answerOnce({ kind: 'refused', message: 'Recipient is not on WhatsApp', data: { code: 131026 } })
  const key = { 'idempotency-key': 'refused' }
  const refused = await shop.send({ to: shop.to, body: 'Hello' }, key)
  assert.equal(refused.status, 200)
  const { status, error, sentAt, providerMessageId } = refused.body
  assert.deepEqual([status, error, sentAt, providerMessageId], ['failed', 'Recipient is not on WhatsApp', null, null])
  const { events, ...read } = await shop.message(refused.body.id)
  assert.deepEqual(read, refused.body)
  assert.deepEqual([events.length, events[0].type, events[0].data], [1, 'failed', { code: 131026 }])
  assert.deepEqual((await shop.send({ to: shop.to, body: 'Hello' }, key)).body, refused.body)
  assert.equal(callsFor(refused.body.id), 1)
})

test('nothing is stored if the provider is out of reach, and the same request may be repeated', async () => {
  const shop = await openShopWithWindow()
  const template = await shop.template('Hello')
  const before = await ok(shop.api.get('/v1/whatsapp/conversations'))
  const messages = [
    { to: shop.to, body: 'Hello' },
    { to: newNumber(), templateId: template.id },
  ]
  for (const message of messages) {
    posthorn.clock.advance(1000)
    answerOnce({ kind: 'unavailable', message: 'connect ECONNREFUSED.' })
    const failed = await shop.send(message, { 'idempotency-key': message.to })
    assert.deepEqual([failed.status, failed.body.name], [502, 'provider_error'], failed.text)
    const { messageId } = sent.at(-1)!
    assert.equal((await shop.api.get(`/v1/whatsapp/messages/${messageId}`)).status, 404)
    assert.deepEqual(await ok(shop.api.get('/v1/whatsapp/conversations')), before)
    await posthorn.runDueJobsAfter(leaseMs)
    assert.equal(callsFor(messageId), 1)
  }
  for (const message of messages) {
    const repeated = await shop.send(message, { 'idempotency-key': message.to })
    assert.deepEqual([repeated.status, repeated.body.status], [200, 'sent'])
  }
})

test('a message of unknown outcome says so, and is never sent again', async () => {
  const shop = await openShopWithWindow()
  answerOnce({ kind: 'unknown', message: 'the connection was lost' })
  const { id, status, sentAt, error } = await ok(shop.send({ to: shop.to, body: 'Hello' }))
  assert.deepEqual([status, sentAt, error], ['accepted', null, null])
  await posthorn.runDueJobsAfter(24 * 3_600_000)
  const message = await shop.message(id)
  assert.deepEqual([message.status, typesOf(message)], ['accepted', ['outcome_unknown']])
  assert.deepEqual(message.events[0].data, { message: 'the connection was lost' })
  assert.equal(callsFor(id), 1)
})

/** Makes the state that a process leaves behind if it dies between the acceptance and the mark. */
async function acceptAndDie(shop: Shop & { to: string }, key: string | null = null): Promise<AcceptedWhatsapp> {
  const { senderId, to, team } = shop
  const command = { kind: 'text' as const, senderId, to, body: 'Hello' }
  const body = { senderId, to, body: 'Hello' }
  const request = { teamId: team.id, command, key: requestKey(team.id, 'POST /v1/whatsapp/messages', key, body) }
  return (await acceptWhatsapp(posthorn.app, request))!
}

test('a message whose process died before the hand-over is sent once by another process', async () => {
  const shop = await openShopWithWindow()
  const { id } = await acceptAndDie(shop, 'died')
  assert.equal((await shop.message(id)).status, 'accepted')
  await posthorn.runDueJobsAfter(leaseMs)
  const message = await shop.message(id)
  assert.deepEqual([message.status, message.providerMessageId, callsFor(id)], ['sent', `wamid.${id}`, 1])
  const { events: _events, ...read } = message
  assert.deepEqual((await shop.send({ to: shop.to, body: 'Hello' }, { 'idempotency-key': 'died' })).body, read)
  await posthorn.runDueJobsAfter(24 * 3_600_000)
  assert.equal(callsFor(id), 1)
})

test('a message whose job is discarded has failed, and says why', async () => {
  const shop = await openShopWithWindow()
  const { id } = await acceptAndDie(shop, 'discarded')
  posthorn.clock.advance(leaseMs)
  const job = await posthorn.app.db.selectFrom('jobs').select('id').where('key', '=', id).executeTakeFirstOrThrow()
  await discardJob(posthorn.app, job.id)
  const { status, error } = await shop.message(id)
  assert.deepEqual([status, error, callsFor(id)], ['failed', 'Given up: An operator discarded it.', 0])
})

test('a message that was not yet handed over at the backup is of unknown outcome after a restore, and is not sent', async () => {
  const shop = await openShopWithWindow()
  const { id } = await acceptAndDie(shop, 'restored')
  const restoredAt = posthorn.clock.now()
  const restored = { discard: [deliverWhatsappJob.kind], note: [], madeAt: restoredAt.toISOString(), restoredAt }
  assert.equal(await onServer(database, (client) => holdBackDueJobs(client, restored)), 1)
  await posthorn.runDueJobsAfter(leaseMs)
  const message = await shop.message(id)
  assert.deepEqual([message.status, typesOf(message), callsFor(id)], ['accepted', ['outcome_unknown'], 0])
})

test('a message that was being handed over by a paused process is not sent again, and the late answer counts', async () => {
  const shop = await openShopWithWindow()
  const { promise, resolve } = Promise.withResolvers<WhatsappAnswer>()
  const asked = Promise.withResolvers<void>()
  answerOnce(() => {
    asked.resolve()
    return promise
  })
  const sending = shop.send({ to: shop.to, body: 'Hello' })
  await asked.promise
  const { messageId } = sent.at(-1)!
  posthorn.clock.advance(leaseMs)
  await (await posthorn.another()).app.jobs.runDue()
  const silent = await shop.message(messageId)
  assert.deepEqual([silent.status, typesOf(silent)], ['accepted', ['outcome_unknown']])
  // The order of ids from two processes is exact only to the millisecond.
  posthorn.clock.advance(1)
  resolve({ kind: 'accepted', providerMessageId: 'wamid.late', data: null })
  assert.equal((await sending).body.status, 'sent')
  const message = await shop.message(messageId)
  assert.deepEqual([message.status, message.providerMessageId], ['sent', 'wamid.late'])
  assert.deepEqual(typesOf(message), ['outcome_unknown', 'sent'])
  assert.equal(callsFor(messageId), 1)
})

test('a request that was paused until a worker had called the provider does not call it too', async () => {
  const shop = await openShopWithWindow()
  const accepted = await acceptAndDie(shop)
  posthorn.clock.advance(leaseMs)
  answerOnce({ kind: 'unknown', message: 'the connection was lost' })
  await posthorn.runDueJobs()
  const { status } = await dispatchNow(posthorn.app, { accepted, key: null })
  assert.deepEqual([status, callsFor(accepted.id)], ['accepted', 1])
})

test('a worker tries an unreachable provider for a quarter of an hour, and then the message fails', async () => {
  const shop = await openShopWithWindow()
  const { id } = await acceptAndDie(shop)
  posthorn.clock.advance(leaseMs)
  for (const delayMs of [5000, 30_000, 120_000, 600_000]) {
    answerOnce({ kind: 'unavailable', message: 'connect ECONNREFUSED.' })
    await posthorn.runDueJobs()
    assert.equal((await shop.message(id)).status, 'accepted')
    posthorn.clock.advance(delayMs - 1)
    const calls = callsFor(id)
    await posthorn.runDueJobs()
    assert.equal(callsFor(id), calls, 'not before its time')
    posthorn.clock.advance(1)
  }
  answerOnce({ kind: 'unavailable', message: 'connect ECONNREFUSED.' })
  await posthorn.runDueJobs()
  const { status, error } = await shop.message(id)
  assert.deepEqual([status, error], ['failed', 'Given up: connect ECONNREFUSED.'])
  assert.equal(callsFor(id), 5)
})

test('a worker sends nothing for a sender that is not active any more', async () => {
  const shop = await openShopWithWindow()
  const { id } = await acceptAndDie(shop)
  await ok(shop.api.patch(`/v1/whatsapp/senders/${shop.senderId}`, { wabaId: 'another' }))
  await posthorn.runDueJobsAfter(leaseMs)
  const { status, error } = await shop.message(id)
  assert.deepEqual([status, error, callsFor(id)], ['failed', 'The sender is not active any more.', 0])
})
