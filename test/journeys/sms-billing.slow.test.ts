import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertExactBilling } from '../../src/billing/fixtures/exact.ts'
import { buyers } from '../../src/billing/payments/fixtures/buyers.ts'
import { paid, post } from '../../src/billing/payments/fixtures/stripe-events.ts'
import { activeSender } from '../../src/sms/fixtures/sender.ts'
import { createTestApp, ok, type TestTeam } from '../app.ts'

const posthorn = await createTestApp()
const { buyer, next } = buyers(posthorn)

const [america, australia, brazil] = ['+14155550100', '+61400000000', '+5511912345678']

async function send(team: TestTeam, senderId: string, numbers: string[]): Promise<string[]> {
  const messages = numbers.map((to) => ({ to, body: 'Your code is 123456.', senderId }))
  const body = await ok(team.api.post('/v1/sms/batch', { messages }))
  return body.data.map(({ id }: { id: string }) => id)
}

/** The usage that the payment provider was told, by event name. */
async function toldOf(teamId: string): Promise<[messageId: string, eventName: string][]> {
  const usage = posthorn.app.db.selectFrom('sandbox_usage').select(['message_id', 'event_name'])
  const rows = await usage.where('team_id', '=', teamId).orderBy('event_name').orderBy('message_id').execute()
  return rows.map(({ message_id, event_name }) => [message_id, event_name])
}

test('a bought plan grants credit, bills each message beyond it once, and grants credit again in the next month', async () => {
  const { team, id, read } = await buyer('pro')
  const senderId = await activeSender(team)
  await send(team, senderId, new Array(99).fill(america))
  assert.equal((await read()).smsCreditCentsRemaining, 2)
  // Too expensive, covered, refused, and three beyond the credit.
  const [dear, covered, refused, ...rest] = await send(team, senderId, [
    ...[australia, america, '+61400000001'],
    ...[america, australia, brazil],
  ])
  assert.ok(covered && refused)
  assert.equal((await read()).smsCreditCentsRemaining, 0)
  await posthorn.runDueJobs()
  await posthorn.runDueJobs()
  assert.deepEqual(await toldOf(team.id), [
    [rest[0]!, 'sms_zone1_send'],
    [dear!, 'sms_zone2_send'],
    [rest[1]!, 'sms_zone2_send'],
    [rest[2]!, 'sms_zone3_send'],
  ])
  const { usage } = (await team.api.get('/v1/rate-limits')).body
  assert.deepEqual([usage.smsSentToday, usage.smsSpendToday], [105, 2.43])
  await post(posthorn, paid({ id, at: next.start, period: next }))
  await send(team, senderId, [brazil])
  assert.equal((await read()).smsCreditCentsRemaining, 175)
  await posthorn.runDueJobs()
  assert.equal((await toldOf(team.id)).length, 4)
  await assertExactBilling(posthorn.app)
})
