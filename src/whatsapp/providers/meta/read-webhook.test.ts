import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../../../test/for-all.ts'
import { propertyTest } from '../../../../test/slow.ts'
import { change, messagesChange, phoneNumberId, wabaId } from './fixtures/meta.ts'
import { readWebhook } from './read-webhook.ts'

const messageId = '01890a5d-ac96-774b-bcce-b302099a8058'
const from = '61400000009'

function textOf(message: object): string | null {
  const [event] = readWebhook(messagesChange({ messages: [{ from, id: 'wamid.1', timestamp: '1', ...message }] }))
  return event?.type === 'message' ? event.text : null
}

test('a customer’s message is read with the customer’s name', () => {
  const contacts = [{ profile: { name: 'Ada' }, wa_id: from }]
  const messages = [{ from, id: 'wamid.1', timestamp: '1504902988', type: 'text', text: { body: 'Hello' } }]
  assert.deepEqual(readWebhook(messagesChange({ contacts, messages })), [
    {
      type: 'message',
      phoneNumberId,
      from: `+${from}`,
      text: 'Hello',
      providerMessageId: 'wamid.1',
      at: new Date(1504902988000),
      contactName: 'Ada',
    },
  ])
})

test('a message that is not text is read as its kind and its words', () => {
  const cases: [object, string][] = [
    [{ type: 'image', image: { id: '1', caption: 'My cat' } }, '[image] My cat'],
    [{ type: 'audio', audio: { id: '1', voice: true } }, '[audio]'],
    [{ type: 'document', document: { filename: 'a.pdf', caption: 'Bill' } }, '[document] a.pdf Bill'],
    [{ type: 'location', location: { latitude: 1.5, longitude: -2 } }, '[location] 1.5, -2'],
    [
      { type: 'location', location: { latitude: 1, longitude: 2, name: 'Shop', address: '1 Way' } },
      '[location] Shop, 1 Way',
    ],
    [{ type: 'button', button: { text: 'Yes', payload: 'x' } }, 'Yes'],
    [{ type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Blue' } } }, 'Blue'],
    [{ type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: {} } }, '[interactive]'],
    [{ type: 'reaction', reaction: { emoji: '👍' } }, '[reaction] 👍'],
    [{ type: 'reaction', reaction: {} }, '[reaction]'],
    [{ type: 'contacts', contacts: [{}] }, '[contacts]'],
    [{ type: 'unsupported', errors: [{ code: 131051 }] }, '[unsupported]'],
    [{ type: 'text', text: { body: '😀'.repeat(5000) } }, '😀'.repeat(4096)],
    [{ type: 'text', text: {} }, '[text]'],
    [{ type: 'constructor' }, '[constructor]'],
    [{ type: 'interactive', interactive: { type: { toString: 1 } } }, '[interactive]'],
    [{ type: 'location', location: { latitude: { toString: 1 } } }, '[location] ?, ?'],
  ]
  for (const [message, text] of cases) assert.equal(textOf(message), text)
  assert.equal(textOf({ type: 'system', system: { body: 'Ada changed her number' } }), null)
})

test('a status is read with our id and the reason of a failure, without the operator’s prices', () => {
  const errors = [{ code: 131026, title: 'Message undeliverable' }]
  const status = { id: 'wamid.1', timestamp: '1750857384', recipient_id: from, biz_opaque_callback_data: messageId }
  const pricing = { billable: true, pricing_model: 'CBP', category: 'service' }
  const statuses = ['sent', 'delivered', 'read', 'failed', 'deleted', 'played'].map((one) => ({
    ...{ ...status, pricing, status: one },
    ...(one === 'failed' && { errors }),
  }))
  const common = { type: 'status', providerMessageId: 'wamid.1', messageId }
  const data = { timestamp: '1750857384', recipient_id: from }
  assert.deepEqual(readWebhook(messagesChange({ statuses })), [
    ...(['sent', 'delivered', 'read'] as const).map((one) => ({ ...common, status: one, data })),
    { ...common, status: 'failed', data: { ...data, errors } },
  ])
})

test('a message whose time is no text keeps its words, and ids that fit no index are ignored', () => {
  const message = { from, id: 'wamid.1', timestamp: { toString: 1 }, type: 'text', text: { body: 'Hello' } }
  const [event] = readWebhook(messagesChange({ messages: [message] }))
  assert.deepEqual(event?.type === 'message' && [event.text, event.at], ['Hello', null])
  const id = 'x'.repeat(3000)
  const statuses = [{ id, status: 'sent' }]
  assert.deepEqual(readWebhook(messagesChange({ messages: [{ ...message, id }], statuses })), [])
})

test('a review names the account and template, and a paused template cannot be sent', () => {
  const review = { message_template_id: 1, message_template_name: 'order', message_template_language: 'en_US' }
  const told = (event: string, more: object = {}) =>
    readWebhook(change('message_template_status_update', { event, ...review, reason: 'NONE', ...more }))
  const common = { type: 'template_status', wabaId, templateName: 'order', language: 'en-US' }
  const expected = { APPROVED: 'approved', REINSTATED: 'approved', DISABLED: 'disabled', PAUSED: 'disabled' }
  for (const [event, status] of Object.entries(expected))
    assert.deepEqual(told(event), [{ ...common, status, reason: null }])
  const rejection_info = { reason: 'Two placeholders side by side.', recommendation: 'Put words between.' }
  const reason = 'INVALID_FORMAT: Two placeholders side by side.: Put words between.'
  assert.deepEqual(told('REJECTED', { reason: 'INVALID_FORMAT', rejection_info }), [
    { ...common, status: 'rejected', reason },
  ])
  for (const event of ['PENDING', 'FLAGGED', 'IN_APPEAL', 'constructor']) assert.deepEqual(told(event), [])
})

propertyTest('added and missing fields do not throw', () => {
  const parts = [
    'entry',
    'changes',
    'value',
    'field',
    'messages',
    'statuses',
    'contacts',
    'metadata',
    'id',
    'from',
    'type',
  ]
  const names = fc.oneof(fc.constantFrom(...parts, 'toString', 'interactive', 'location', 'latitude'), fc.string())
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('messages', 'text', 'interactive', 'location', 'constructor', null, 7, from),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('tree'), { maxLength: 3 }),
    object: fc.dictionary(names, tie('tree'), { maxKeys: 6 }),
  }))
  forAll({ always: 100 }, tree, (value) => {
    readWebhook(value)
    readWebhook(change('messages', { value } as object))
    readWebhook(messagesChange({ messages: value, statuses: value, contacts: value }))
    readWebhook(messagesChange({ messages: [value], statuses: [value], contacts: [value] }))
  })
})
