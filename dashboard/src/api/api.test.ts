import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withQuery } from './call.ts'
import { isConcerned, isOf, keys, withFollowing } from './keys.ts'
import { nounOf } from './list.ts'
import { isOfProxy } from './reach.ts'
import { faultAt, isAllAt, Refusal } from './refusal.ts'

test('a hint concerns the lists of its noun, and single things by id', () => {
  const hint = { emails: ['1'] }
  assert.equal(isConcerned(keys.list('emails'), hint), true)
  assert.equal(isConcerned(keys.one('emails', '1', '/events'), hint), true)
  assert.equal(isConcerned(keys.one('emails', '2'), hint), false)
  assert.equal(isConcerned(keys.one('emails', '2'), { emails: [] }), true)
  assert.equal(isConcerned(keys.list('sms/senders'), { sms: [] }), true)
  assert.equal(isConcerned(keys.list('contacts'), hint), false)
  assert.deepEqual(Object.keys(withFollowing(hint)).includes('inbox'), true)
})

test('what belongs to a thing is known by its id', () => {
  assert.equal(isOf(keys.one('webhooks', '1'), '1'), true)
  assert.equal(isOf(keys.list('webhooks/1/deliveries'), '1'), true)
  assert.equal(isOf(keys.part('webhooks/1/deliveries', 'attempts', { id: '2' }), '1'), true)
  assert.equal(isOf(keys.list('webhooks/12/deliveries'), '1'), false)
  assert.equal(isOf(keys.list('webhooks'), '1'), false)
})

test('a refusal stands at the field that it names', () => {
  const errors = [{ path: 'to[1]', message: 'is not an address' }]
  const refusal = new Refusal(400, { name: 'validation_error', message: 'to[1]: is not an address', errors })
  assert.equal(faultAt(refusal, 'to'), 'is not an address')
  assert.equal(faultAt(refusal, 'from'), undefined)
  assert.equal(isAllAt(refusal, ['to', 'from']), true)
  assert.equal(isAllAt(refusal, ['from']), false)
})

test('a daily limit is told in a sentence', () => {
  const said = (error: string, figures: object) => new Refusal(429, { error, ...figures }).message
  const anew = 'It starts anew at midnight UTC.'
  const email = (limit: number, remaining: number) => said('DAILY_EMAIL_LIMIT_EXCEEDED', { limit, remaining })
  assert.equal(email(100, 0), `Today’s limit of 100 emails is reached. ${anew}`)
  assert.equal(email(1, 0), `Today’s limit of 1 email is reached. ${anew}`)
  assert.equal(email(5000, 3), `Today’s limit of 5,000 emails has 3 left, which is not enough. ${anew}`)
  const sms = (limit: number) => said('DAILY_SMS_LIMIT_EXCEEDED', { limit, remaining: 0 })
  assert.equal(sms(50), `Today’s limit of 50 SMS is reached. ${anew}`)
  assert.equal(sms(0), 'The plan has no SMS.')
  const spent = said('DAILY_SMS_SPEND_LIMIT_EXCEEDED', { spent_today: 4.98, limit: 5 })
  assert.equal(spent, `Today’s limit of $5.00 for SMS would be exceeded. $4.98 of it is spent. ${anew}`)
  assert.equal(new Refusal(429, { error: 'ANOTHER', limit: 1 }).message, 'ANOTHER')
})

test('empty parameters are left out of a query', () => {
  assert.equal(withQuery('/v1/emails', { search: '', status: undefined, limit: 20 }), '/v1/emails?limit=20')
  assert.equal(nounOf('/v1/sms/senders'), 'sms/senders')
})

test('an answer that a proxy gives for an absent server is told from a refusal', () => {
  const answer = (status: number, type?: string) => ({
    status,
    headers: new Headers(type ? { 'Content-Type': type } : {}),
  })
  assert.equal(isOfProxy(answer(502, 'text/html')), true)
  assert.equal(isOfProxy(answer(504)), true)
  assert.equal(isOfProxy(answer(503, 'application/json; charset=utf-8')), false)
  assert.equal(isOfProxy(answer(200, 'text/html')), false)
})
