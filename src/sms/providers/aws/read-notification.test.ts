import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNotification } from './read-notification.ts'

const now = new Date('2030-06-15T12:00:00.000Z')
const messageId = '01890a5d-ac96-774b-bcce-b302099a8058'
/** The example of Amazon's documentation, with our context. */
const event = {
  eventType: 'TEXT_DELIVERED',
  eventVersion: '1.0',
  eventTimestamp: 1686975103470,
  isFinal: true,
  originationPhoneNumber: '+12065550152',
  destinationPhoneNumber: '+14255550156',
  isoCountryCode: 'US',
  messageId: '862a8790-60c0-4430-9b2b-658bdexample',
  messageStatus: 'DELIVERED',
  messageStatusDescription: 'Message has been accepted by phone',
  context: { posthorn: messageId },
  totalMessageParts: 1,
  totalMessagePrice: 0.00581,
  totalCarrierFee: 0.003,
  protectConfiguration: { protectConfigurationId: 'protect-1' },
}
const read = (payload: object) => readNotification(JSON.stringify(payload), now)
const factOf = (more: object) => {
  const told = read({ ...event, ...more })
  return told.kind === 'fact' ? told.fact : null
}

test('an event has our message, its time and price, and no data of the operator', () => {
  const fact = factOf({})
  assert.deepEqual(
    [fact?.messageId, fact?.providerMessageId, fact?.type, fact?.at.getTime(), fact?.carrierPrice],
    [messageId, event.messageId, 'delivered', 1686975103470, { amount: '0.00581', currency: 'USD' }],
  )
  const { messageStatus, messageStatusDescription } = event
  assert.equal(fact?.data?.messageStatus, messageStatus)
  assert.equal(fact?.data?.messageStatusDescription, messageStatusDescription)
  assert.doesNotMatch(JSON.stringify(fact?.data), /context|Price|Fee|protect/)
})

test('each kind of event maps to one of our states', () => {
  const expected = {
    queued: ['TEXT_QUEUED'],
    sent: ['TEXT_PENDING', 'TEXT_SENT', 'TEXT_UNKNOWN'],
    delivered: ['TEXT_DELIVERED', 'TEXT_SUCCESSFUL'],
    failed: ['TEXT_INVALID', 'TEXT_INVALID_MESSAGE', 'TEXT_PROTECT_BLOCKED'],
    undelivered: ['TEXT_BLOCKED', 'TEXT_CARRIER_BLOCKED', 'TEXT_CARRIER_UNREACHABLE', 'TEXT_SPAM', 'TEXT_TTL_EXPIRED'],
  }
  for (const [type, events] of Object.entries(expected))
    for (const eventType of events) assert.equal(factOf({ eventType })?.type, type, eventType)
  assert.equal(factOf({ eventType: 'TEXT_SUCCESSFUL', isFinal: false })?.type, 'sent')
})

test('foreign and broken notifications, and those of other services, are ignored', () => {
  const others = ['', 'hello', '[]', 'null', '{}', '{"eventType":5}', '{"eventType":"TEXT_QUEUED"}', '{"a":'.repeat(99)]
  for (const text of others) assert.equal(readNotification(text, now).kind, 'other', text)
  assert.equal(read({ ...event, eventType: 'VOICE_ANSWERED' }).kind, 'other')
  assert.equal(read({ ...event, messageId: 7 }).kind, 'other')
})

test('odd values do not lose an event', () => {
  assert.equal(factOf({ context: { posthorn: 'x' } })?.messageId, null)
  assert.equal(factOf({ context: null })?.messageId, null)
  for (const eventTimestamp of ['soon', -1, 1e300, null]) assert.deepEqual(factOf({ eventTimestamp })?.at, now)
  for (const totalMessagePrice of [0, -1, 'free', null])
    assert.equal(factOf({ totalMessagePrice })?.carrierPrice, undefined)
  const text = JSON.stringify(event).replace('accepted by phone', 'a\\u0000b\\ud800')
  const told = readNotification(text, now)
  assert.match(JSON.stringify(told), /a\ufffdb\ufffd/)
})

test('a message to a number is read with both numbers and its id', () => {
  const inbound = { originationNumber: '+14255550182', destinationNumber: '+12125550101', messageKeyword: 'JOIN' }
  assert.deepEqual(read({ ...inbound, messageBody: 'STOP', inboundMessageId: 'cae173d2' }), {
    kind: 'inbound',
    message: { from: '+14255550182', to: '+12125550101', body: 'STOP', id: 'aws:cae173d2' },
  })
})
