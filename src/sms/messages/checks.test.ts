import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../../test/app.ts'
import type { LimitOverrides } from '../../context.ts'
import { activeSender } from '../fixtures/sender.ts'

const posthorn = await createTestApp()
const [good, abroad, optedOut] = ['+61400000000', '+18765551234', '+61411111111']
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

async function prepared(limits: LimitOverrides = {}): Promise<TestTeam & { senderId: string; idleId: string }> {
  const team = await posthorn.team({ limits })
  const { body: idle } = await team.api.post('/v1/sms/senders', { name: 'Idle', senderId: 'Idle' })
  await team.api.post('/v1/sms/opt-outs', { phoneNumber: optedOut })
  return { ...team, senderId: await activeSender(team), idleId: idle.id }
}

async function assertNothingLeft({ api }: TestTeam): Promise<void> {
  const { usage } = (await api.get('/v1/rate-limits')).body
  assert.deepEqual([usage.smsSentToday, usage.smsSpendToday], [0, 0])
  assert.deepEqual((await api.get('/v1/sms')).body.data, [])
}

type Fault = 'limit' | 'spend' | 'country' | 'optedOut' | 'sender' | 'unknownSender' | 'type'

/** The faults in the order of checks; the answer names the first one. The last three belong to one check. */
const faults: [Fault, status: number, error: string][] = [
  ['limit', 429, 'DAILY_SMS_LIMIT_EXCEEDED'],
  ['spend', 429, 'DAILY_SMS_SPEND_LIMIT_EXCEEDED'],
  ['country', 422, 'UNSUPPORTED_DESTINATION_COUNTRY'],
  ['optedOut', 403, 'RECIPIENT_OPTED_OUT'],
  ['sender', 400, 'sender_not_active'],
  ['unknownSender', 400, 'sender_not_active'],
  ['type', 400, 'validation_error'],
]

/** The faults stand in the batch in the reverse order of checks, so that only the order of checks decides. */
for (const [place, [fault, status, error]] of faults.entries()) {
  const together = faults.slice(place, place < 4 ? faults.length : place + 1).map(([name]) => name)
  test(`a batch with ${together.join(', ')} is refused for the first of these, and leaves nothing behind`, async () => {
    const limits = { ...(fault === 'limit' && { dailySmsLimit: 2 }), ...(place <= 1 && { dailySmsSpendLimit: 0.1 }) }
    const team = await prepared(limits)
    const { senderId, idleId } = team
    const byFault: Record<Fault, object> = {
      limit: { to: good },
      spend: { to: good },
      country: { to: abroad },
      optedOut: { to: optedOut },
      sender: { senderId: idleId },
      unknownSender: { senderId: unknownId },
      type: { messageType: 'promotional' },
    }
    const wrong = together.toReversed().map((name) => byFault[name])
    const messages = [{}, ...wrong].map((change) => ({ to: good, body: 'Hello', senderId, ...change }))
    const headers = { 'idempotency-key': 'batch' }
    const answer = await team.api.post('/v1/sms/batch', { messages }, headers)
    assert.equal(answer.status, status, answer.text)
    assert.equal(answer.body.error ?? answer.body.name, error)
    if (fault === 'country' || fault === 'optedOut') assert.equal(answer.body.index, together.length)
    await assertNothingLeft(team)
    const repeated = await team.api.post(
      '/v1/sms/batch',
      { messages: [{ to: good, body: 'Hello', senderId }] },
      headers,
    )
    assert.notEqual(repeated.status, 409)
  })
}

const singles: [what: string, change: object, status: number, body: object][] = [
  [
    'to a country that is not on the rate card',
    { to: abroad },
    422,
    {
      error: 'UNSUPPORTED_DESTINATION_COUNTRY',
      message: 'SMS to +18765551234 (JM) is not supported: its country is not on the rate card.',
    },
  ],
  [
    'to a number that has opted out',
    { to: optedOut },
    403,
    {
      error: 'RECIPIENT_OPTED_OUT',
      message:
        '+61411111111 has opted out. Leave it out, or remove its entry from /v1/sms/opt-outs if the person asked for it.',
    },
  ],
  [
    'from a sender that does not exist',
    { senderId: unknownId },
    400,
    {
      status_code: 400,
      name: 'sender_not_active',
      message:
        'senderId: is not an active SMS sender of this team. Verify it with POST /v1/sms/senders/{id}/verify first.',
    },
  ],
  [
    'of a type its sender may not send',
    { messageType: 'promotional' },
    400,
    {
      status_code: 400,
      name: 'validation_error',
      message: 'messageType: must be transactional: the sender is for transactional messages only',
      errors: [
        { path: 'messageType', message: 'must be transactional: the sender is for transactional messages only' },
      ],
    },
  ],
]
for (const [what, change, status, body] of singles) {
  test(`a message ${what} is ${status}`, async () => {
    const team = await prepared()
    const answer = await team.api.post('/v1/sms', { to: good, body: 'Hello', senderId: team.senderId, ...change })
    assert.equal(answer.status, status)
    assert.deepEqual(answer.body, body)
    await assertNothingLeft(team)
  })
}

test('a refused batch names the index of the country or of the number that opted out', async () => {
  const team = await prepared()
  for (const to of [abroad, optedOut]) {
    const messages = [good, to].map((to) => ({ to, body: 'Hello', senderId: team.senderId }))
    const answer = await team.api.post('/v1/sms/batch', { messages })
    assert.deepEqual(Object.keys(answer.body).sort(), ['error', 'index', 'message'])
    assert.equal(answer.body.index, 1)
  }
})

test('another team’s sender is refused as unknown', async () => {
  const [team, other] = [await prepared(), await prepared()]
  const answer = await team.api.post('/v1/sms', { to: good, body: 'Hello', senderId: other.senderId })
  assert.deepEqual([answer.status, answer.body.name], [400, 'sender_not_active'])
})

test('the daily limits have the specified bodies', async () => {
  const team = await prepared({ dailySmsLimit: 3, dailySmsSpendLimit: 0.2 })
  const { api, senderId } = team
  const message = { to: good, body: 'Hello', senderId }
  const send = (count: number) => api.post('/v1/sms/batch', { messages: Array(count).fill(message) })
  assert.equal((await send(1)).status, 200)
  const tooMany = await send(3)
  assert.equal(tooMany.status, 429)
  assert.deepEqual(tooMany.body, { error: 'DAILY_SMS_LIMIT_EXCEEDED', limit: 3, remaining: 2 })
  const tooDear = await api.post('/v1/sms', { ...message, to: '+525512345678' })
  assert.equal(tooDear.status, 429)
  assert.deepEqual(tooDear.body, { error: 'DAILY_SMS_SPEND_LIMIT_EXCEEDED', spent_today: 0.08, limit: 0.2 })
  // These two messages spend exactly the rest.
  assert.equal(
    (await api.post('/v1/sms/batch', { messages: [message, { ...message, to: '+12025550123' }] })).status,
    200,
  )
})

test('limits start again at midnight UTC, and failed messages are returned to their own day only', async () => {
  const team = await prepared({ dailySmsLimit: 1 })
  const message = { to: good, body: 'Hello', senderId: team.senderId }
  assert.equal((await team.api.post('/v1/sms', message)).status, 200)
  assert.equal((await team.api.post('/v1/sms', message)).status, 429)
  posthorn.clock.advance(12 * 3_600_000)
  assert.equal((await team.api.post('/v1/sms', message)).status, 200)
  assert.equal((await team.api.get('/v1/rate-limits')).body.usage.smsSentToday, 1)
})

test('Free has no SMS, single or batch', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const message = { to: good, body: 'Hello', senderId: await activeSender(team) }
  for (const answer of [
    await team.api.post('/v1/sms', message),
    await team.api.post('/v1/sms/batch', { messages: [message] }),
  ]) {
    assert.equal(answer.status, 429)
    assert.deepEqual(answer.body, { error: 'DAILY_SMS_LIMIT_EXCEEDED', limit: 0, remaining: 0 })
  }
})

test("a batch has 1 to 100 messages, or as many as the team's limit", async () => {
  const [team, small] = [await prepared(), await prepared({ smsBatchSize: 2 })]
  for (const [{ api, senderId }, count, status] of [
    [team, 0, 400],
    [team, 100, 200],
    [team, 101, 400],
    [small, 2, 200],
    [small, 3, 400],
  ] as const) {
    const messages = Array(count).fill({ to: good, body: 'Hello', senderId })
    const answer = await api.post('/v1/sms/batch', { messages })
    assert.equal(answer.status, status, `${count}: ${answer.text.slice(0, 300)}`)
  }
})

test('a batch that was answered is answered again, also once the limit is lower', async () => {
  const { api, senderId, id } = await prepared({ smsBatchSize: 3 })
  const messages = Array(3).fill({ to: good, body: 'Hello', senderId })
  const send = (all: object[]) => api.post('/v1/sms/batch', { messages: all }, { 'idempotency-key': 'batch' })
  const first = await ok(send(messages))
  await posthorn.app.db
    .updateTable('teams')
    .set({ limit_overrides: JSON.stringify({ smsBatchSize: 2 }) })
    .where('id', '=', id)
    .execute()
  assert.deepEqual(await ok(send(messages)), first)
  assert.equal((await send([...messages, messages[0]])).status, 409)
})
