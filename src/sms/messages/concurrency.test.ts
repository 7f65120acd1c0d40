import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { assertExactBilling } from '../../billing/fixtures/exact.ts'
import type { App, Caller } from '../../context.ts'
import { activeSender } from '../fixtures/sender.ts'
import { sendSms } from './send.ts'

const posthorn = await createTestApp()
const to = '+61400000000'

async function sendAtOnce({ api }: TestTeam, count: number, senderId: string, numbers: string[] = [to]) {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      api.post('/v1/sms', { to: numbers[index % numbers.length], body: 'Hello', senderId }),
    ),
  )
}

test('a credit for 25 messages pays exactly 25 of 50 concurrent sends, and the others are overage', async () => {
  // 200 cents at 8 cents each.
  const team = await posthorn.team({ plan: 'pro' })
  const answers = await sendAtOnce(team, 50, await activeSender(team))
  assert.ok(answers.every(({ status }) => status === 200))
  const entries = await posthorn.app.db
    .selectFrom('sms_ledger')
    .select(['kind', 'credit_units as credit', 'overage_units as overage'])
    .where('team_id', '=', team.id)
    .where('message_id', 'is not', null)
    .execute()
  const of = (kind: string) => entries.filter((entry) => entry.kind === kind).length
  assert.deepEqual([of('debit'), of('overage')], [25, 25])
  assert.equal((await team.api.get('/v1/billing/subscription')).body.smsCreditCentsRemaining, 0)
  await assertExactBilling(posthorn.app)
})

/** Stands for another process on the same database, because calls are gathered for each app. */
const elsewhere: App = { ...posthorn.app }

test('across two processes exactly as many sends pass as the limits allow', async () => {
  const team = await posthorn.team({ plan: 'pro', limits: { dailySmsLimit: 17, dailySmsSpendLimit: 1 } })
  const senderId = await activeSender(team)
  const caller: Caller = {
    ...{
      kind: 'apiKey',
      id: team.id,
      teamId: team.id,
      permission: 'full_access',
      mode: 'live',
      domainId: null,
      plan: 'pro',
    },
    limitOverrides: { dailySmsLimit: 17, dailySmsSpendLimit: 1 },
  }
  await sendAtOnce(team, 1, senderId)
  const ended = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => {
      const message = { to: index % 3 ? to : '+12025550123', body: 'Hello', senderId }
      return sendSms(index % 2 ? elsewhere : posthorn.app, caller, message, null)
    }),
  )
  const { usage } = (await team.api.get('/v1/rate-limits')).body
  const sent = ended.filter(({ status }) => status === 'fulfilled').length
  assert.equal(usage.smsSentToday, sent + 1)
  assert.ok(sent <= 16 && usage.smsSpendToday <= 1 && (sent === 16 || usage.smsSpendToday > 0.98), `${sent}`)
  await assertExactBilling(posthorn.app)
})

test('with k messages left exactly k of many concurrent sends pass', async () => {
  const team = await posthorn.team({ limits: { dailySmsLimit: 17 } })
  const statuses = (await sendAtOnce(team, 40, await activeSender(team))).map(({ status }) => status)
  assert.deepEqual(
    [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 429).length],
    [17, 23],
  )
  await assertExactBilling(posthorn.app)
})

test('concurrent sends and batches keep the spend cap to the cent', async () => {
  const team = await posthorn.team({ limits: { dailySmsSpendLimit: 1 } })
  const senderId = await activeSender(team)
  const batch = { messages: Array(4).fill({ to, body: 'Hello', senderId }) }
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, () => team.api.post('/v1/sms/batch', batch)),
    sendAtOnce(team, 20, senderId),
  ])
  assert.ok(answers.flat().every(({ status }) => status === 200 || status === 429))
  const { usage } = (await team.api.get('/v1/rate-limits')).body
  // Twelve messages at 8 cents; a thirteenth would exceed one dollar.
  assert.deepEqual([usage.smsSentToday, usage.smsSpendToday], [12, 0.96])
  await assertExactBilling(posthorn.app)
})

test('messages that the provider refuses return their share of the cap and of the credit at any concurrency', async () => {
  const team = await posthorn.team({ plan: 'pro' })
  const numbers = [to, '+61400000001', '+12025550123']
  const answers = await sendAtOnce(team, 60, await activeSender(team), numbers)
  const failed = answers.filter(({ body }) => body.status === 'failed').length
  assert.equal(failed, 20)
  const { usage } = (await team.api.get('/v1/rate-limits')).body
  assert.deepEqual([usage.smsSentToday, usage.smsSpendToday], [60, 2])
  await assertExactBilling(posthorn.app)
})

test('many requests with few keys send one message for each key', async () => {
  const team = await posthorn.team()
  const senderId = await activeSender(team)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      team.api.post('/v1/sms', { to, body: 'Hello', senderId }, { 'idempotency-key': `key ${index % 5}` }),
    ),
  )
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 5)
  assert.equal((await team.api.get('/v1/sms')).body.data.length, 5)
})

test('exactly one of a send and a concurrent deletion of its sender succeeds', async () => {
  const team = await posthorn.team()
  for (let round = 0; round < 10; round++) {
    const senderId = await activeSender(team, { senderId: `S${round}` })
    const deletion = () => team.api.delete(`/v1/sms/senders/${senderId}`)
    const [sent, deleted] = await Promise.all([
      team.api.post('/v1/sms', { to, body: 'Hello', senderId }),
      round % 2 ? deletion() : new Promise((soon) => setImmediate(soon)).then(deletion),
    ])
    const outcome = [sent.status, deleted.status].join()
    assert.ok(outcome === '200,409' || outcome === '400,200', outcome)
  }
})
