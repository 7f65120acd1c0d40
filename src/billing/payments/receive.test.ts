import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createTestApp } from '../../../test/app.ts'
import { buyers } from './fixtures/buyers.ts'
import { checkout, eventOf, paid, post, sign, updated } from './fixtures/stripe-events.ts'

const logged: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
const posthorn = await createTestApp({}, { log })
const { buyer, next, now, spend } = buyers(posthorn)

test('a failed payment is logged and changes nothing', async () => {
  const { id, read } = await buyer('pro')
  const before = await read()
  logged.length = 0
  const failed = eventOf('invoice.payment_failed', now, { id: 'in_1', subscription: id })
  assert.equal((await post(posthorn, failed)).status, 200)
  assert.match(logged.join(), /a payment failed.*/)
  assert.ok(logged.join().includes(id) && logged.join().includes(failed.id))
  assert.deepEqual(await read(), before)
})

test('an invoice whose lines have no period refills the credit for its own', async () => {
  const { id, team, read } = await buyer('pro')
  await spend(team, 100)
  const { data, ...event } = paid({ id, at: next.start, period: next })
  const lines = { data: [{ price: { lookup_key: 'posthorn_pro' } }] }
  const object = { ...(data.object as object), lines, period_start: next.start, period_end: next.end }
  const before = (await read()).smsCreditCentsRemaining
  await post(posthorn, { ...event, data: { object } })
  assert.equal((await read()).smsCreditCentsRemaining, before + 100)
})

test('events about unknown teams are acknowledged and leave nothing behind', async () => {
  const strange = [
    eventOf('customer.created', now, { id: 'cus_1' }),
    { type: 'v2.core.event' },
    eventOf('constructor', now, {}),
    checkout({ id: 'sub_strange', at: now, teamId: '01890a5d-ac96-774b-bcce-b302099a8057', plan: 'pro' }),
    checkout({ id: 'sub_payment', at: now, mode: 'payment', plan: 'pro' }),
    eventOf('checkout.session.completed', now, { subscription: null }),
  ]
  for (const event of strange) {
    const { status, body } = await post(posthorn, event)
    assert.deepEqual([status, body], [200, { received: true }])
  }
  const kept = await posthorn.app.db
    .selectFrom('payment_subscriptions')
    .select('id')
    .where('id', 'in', ['sub_strange', 'sub_payment'])
    .execute()
  assert.deepEqual(kept, [])
})

test('a checkout that is paid after its team was deleted grants nothing, and the log says what to end', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const owner = await team.member('owner')
  assert.equal((await owner.api.delete('/v1/team', { confirm: 'Shop' })).status, 200)
  logged.length = 0
  const { status } = await post(posthorn, checkout({ id: 'sub_late', at: now, teamId: team.id, plan: 'pro' }))
  assert.equal(status, 200)
  const warned = logged.map((line) => JSON.parse(line)).find(({ level }) => level === 40)
  assert.deepEqual([warned?.subscription, warned?.team], ['sub_late', team.id])
  assert.match(warned.msg, /end the subscription at the payment provider/)
  const kept = posthorn.app.db.selectFrom('payment_subscriptions').select('id').where('id', '=', 'sub_late')
  assert.deepEqual(await kept.execute(), [])
})

test('an event that is forged, unsigned, too old or from the future is 400 and changes nothing', async () => {
  const { id, team, read } = await buyer('pro')
  const payload = JSON.stringify(updated({ id, at: now + 1, plan: 'enterprise', teamId: team.id }))
  const signatures: Record<string, string> = {
    forged: sign(payload, now, 'whsec_other'),
    'of another body': sign(`${payload} `, now),
    'too old': sign(payload, now - 301),
    'ahead of its time': sign(payload, now + 301),
    nonsense: 'nonsense',
    empty: '',
    'another scheme': sign(payload, now).replace('v1=', 'v0='),
    'with its time changed': sign(payload, now).replace(`t=${now}`, `t=${now + 1}`),
  }
  for (const [what, signature] of Object.entries(signatures)) {
    const { status, body } = await post(posthorn, payload, signature)
    assert.deepEqual([status, body.name, body.errors[0].path], [400, 'validation_error', 'Stripe-Signature'], what)
  }
  const unsigned = await posthorn.anyone.post('/v1/webhooks/payments', payload)
  assert.deepEqual([unsigned.status, unsigned.body.name], [400, 'validation_error'])
  assert.equal((await read()).plan, 'pro')
  for (const at of [now - 300, now + 300]) assert.equal((await post(posthorn, payload, sign(payload, at))).status, 200)
  assert.equal((await read()).plan, 'enterprise')
})

test('a signed body that is not an event is 400 and says why; one that is too long is 413', async () => {
  const bodies: [string, RegExp][] = [
    ['{"type":', /^body: is not valid JSON/],
    ['[]', /^type: /],
    ['null', /JSON|type/],
    ['{"type":5}', /^type: /],
    [JSON.stringify({ ...checkout({ id: 'sub_x', at: now }), id: 7 }), /^id: /],
    [JSON.stringify({ ...checkout({ id: 'sub_x', at: now }), id: 'x'.repeat(300) }), /^id: /],
    [JSON.stringify({ ...checkout({ id: 'sub_x', at: now }), created: '1' }), /^created: /],
    [JSON.stringify({ ...checkout({ id: 'sub_x', at: now }), created: 1e18 }), /^created: /],
    ['['.repeat(100_000), /^body: /],
  ]
  for (const [body, says] of bodies) {
    const answer = await post(posthorn, body)
    assert.equal(answer.status, 400, body.slice(0, 100))
    assert.match(answer.body.message, says)
  }
  assert.equal((await post(posthorn, JSON.stringify({ type: 'x'.repeat(1024 * 1024) }))).status, 413)
})

test('an event posted many times at once counts once', async () => {
  const { team, id, read } = await buyer('pro')
  await spend(team, 100)
  const event = paid({ id, at: next.start, period: next })
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(posthorn, event)))
  assert.ok(answers.every(({ status }) => status === 200))
  const refills = await posthorn.app.db
    .selectFrom('sms_ledger')
    .select('cause')
    .where('team_id', '=', team.id)
    .where('kind', '=', 'refill')
    .execute()
  assert.equal(refills.length, 2)
  assert.equal((await read()).smsCreditCentsRemaining, 200)
})
