import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTestApp } from '../../../../test/app.ts'
import { forAllAsync } from '../../../../test/for-all.ts'
import { propertyTest } from '../../../../test/slow.ts'
import { scriptedProvider } from '../../fixtures/scripted-provider.ts'
import { activeSender, eventTypes } from '../../fixtures/sender.ts'
import type { SmsEventType, SmsFact } from '../../provider.ts'
import { recordSmsReports } from './reports.ts'

const provider = scriptedProvider()
const posthorn = await createTestApp({}, { smsProvider: provider })
const { app } = posthorn
const team = await posthorn.team()
const senderId = await activeSender(team)

async function message(): Promise<string> {
  return (await team.api.post('/v1/sms', { to: '+61400000000', body: 'Hello', senderId })).body.id
}

function fact(messageId: string, type: SmsEventType, change: Partial<SmsFact> = {}): SmsFact {
  const at = new Date('2030-06-15T12:01:00Z')
  return {
    factId: type,
    messageId,
    providerMessageId: `SM-${messageId}`,
    type,
    at,
    data: { messageStatus: type },
    ...change,
  }
}

async function stateOf(id: string) {
  const row = await app.db
    .selectFrom('sms_messages')
    .select(['status', 'sent_at', 'carrier_price', 'carrier_currency', 'provider_message_id', 'billable'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...row, events: (await eventTypes(team, id)).sort() }
}

test('receipts move a message forward and become its events', async () => {
  const id = await message()
  for (const type of ['queued', 'sent', 'delivered'] as const) {
    await recordSmsReports(app, 'twilio', [fact(id, type)])
    assert.equal((await team.api.get(`/v1/sms/${id}`)).body.status, type)
  }
  assert.deepEqual(await eventTypes(team, id), ['delivered', 'sent', 'queued', 'accepted'])
  assert.equal((await team.api.get(`/v1/sms/${id}`)).body.sentAt, '2030-06-15T12:01:00.000Z')
})

test('a late receipt adds an event and moves nothing back; a repeat changes nothing', async () => {
  const id = await message()
  await recordSmsReports(app, 'twilio', [fact(id, 'undelivered')])
  await recordSmsReports(app, 'twilio', [fact(id, 'sent'), fact(id, 'undelivered')])
  assert.equal((await team.api.get(`/v1/sms/${id}`)).body.status, 'undelivered')
  assert.deepEqual(await eventTypes(team, id), ['sent', 'undelivered', 'accepted'])
})

test('a message is found by the provider’s id too; receipts about unknown messages or from another provider are ignored', async () => {
  const id = await message()
  await recordSmsReports(app, 'twilio', [fact(id, 'sent', { messageId: null })])
  await recordSmsReports(app, 'aws', [fact(id, 'delivered'), fact(id, 'delivered', { messageId: null })])
  await recordSmsReports(app, 'twilio', [
    fact('01890a5d-ac96-774b-bcce-b302099a8057', 'failed'),
    fact('no id', 'failed'),
    fact(id, 'failed', { messageId: null, providerMessageId: 'SM-unknown' }),
  ])
  assert.equal((await team.api.get(`/v1/sms/${id}`)).body.status, 'sent')
})

test('a receipt that comes before the provider’s answer is recorded is not lost', async () => {
  provider.onSend = async ({ messageId }) => {
    await recordSmsReports(app, 'twilio', [fact(messageId, 'delivered')])
    return { kind: 'accepted', providerMessageId: `SM-${messageId}`, facts: [fact(messageId, 'sent')] }
  }
  const sent = await team.api.post('/v1/sms', { to: '+61400000000', body: 'Hello', senderId })
  assert.equal(sent.body.status, 'delivered')
})

const types: SmsEventType[] = ['accepted', 'queued', 'sent', 'delivered', 'failed', 'undelivered']
const told = fc.uniqueArray(
  fc.record({
    factId: fc.nat({ max: 20 }).map(String),
    type: fc.constantFrom(...types),
    at: fc.nat({ max: 5 }).map((minute) => new Date(Date.UTC(2030, 5, 15, 12, minute))),
    price: fc.option(fc.constantFrom('0.01', '0.00645', '1', '-1', 'NaN', '')),
  }),
  { minLength: 1, maxLength: 8, selector: ({ factId }) => factId },
)
const orders = told.chain((facts) =>
  fc.record({
    facts: fc.constant(facts),
    // Each fact occurs at least once and some twice or more, in any order.
    order: fc
      .array(fc.constantFrom(...facts), { maxLength: 6 })
      .chain((again) => fc.shuffledSubarray([...facts, ...again], { minLength: facts.length + again.length })),
    partSize: fc.integer({ min: 1, max: 9 }),
  }),
)

propertyTest('receipts in any order and with any repeats end the same', async () => {
  provider.onSend = ({ messageId }) => ({ kind: 'accepted', providerMessageId: `SM-${messageId}`, facts: [] })
  await forAllAsync(25, orders, async ({ facts, order, partSize }) => {
    const [one, other] = [await message(), await message()]
    const factsOf = (id: string, given: typeof facts) =>
      given.map(({ price, factId, type, at }) =>
        fact(id, type, { factId, at, ...(price !== null && { carrierPrice: { amount: price, currency: 'USD' } }) }),
      )
    for (const each of factsOf(one, facts)) await recordSmsReports(app, 'twilio', [each])
    const shuffled = factsOf(other, order)
    for (let start = 0; start < shuffled.length; start += partSize) {
      await recordSmsReports(app, 'twilio', shuffled.slice(start, start + partSize))
    }
    const [left, right] = [await stateOf(one), await stateOf(other)]
    assert.deepEqual({ ...right, provider_message_id: '' }, { ...left, provider_message_id: '' })
    assert.equal(left.billable, true)
  })
})
