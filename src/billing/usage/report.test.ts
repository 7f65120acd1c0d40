import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { publish } from '../../platform/events.ts'
import { zeroCredit } from '../credit/set.ts'
import { settleMessages } from '../credit/settle.ts'
import { assertExactBilling } from '../fixtures/exact.ts'
import { acceptMessages, answerMessages } from '../fixtures/messages.ts'
import { checkout, post } from '../payments/fixtures/stripe-events.ts'
import type { MeteredUsage, PaymentsProvider } from '../payments/provider.ts'
import type { Zone } from '../rate-card.ts'

/**
 * The usage that was reported to the provider. `refuses` selects teams for which it fails; `pause` delays its answers.
 */
const told: MeteredUsage[] = []
let refuses: (usage: MeteredUsage) => boolean = () => false
let pause: Promise<void> | null = null

const notAsked = async (): Promise<never> => assert.fail('not asked here')
const payments: PaymentsProvider = {
  name: 'stripe',
  createCheckout: notAsked,
  createPortal: notAsked,
  isSubscriptionPaid: notAsked,
  endSubscription: notAsked,
  close: async () => undefined,
  async reportUsage(usage) {
    told.push(usage)
    await pause
    if (refuses(usage)) throw new Error('The provider is away.')
  },
}
const posthorn = await createTestApp({}, { payments })
const { app } = posthorn

async function makeTeam({ isCustomer = true } = {}) {
  const team = await posthorn.team({ plan: 'free' })
  if (isCustomer) await becomeCustomer(team.id)
  return team
}

/** Records a customer as a paid checkout does. `isTold`: true if the job is told. */
function becomeCustomer(teamId: string, { isTold = true } = {}): Promise<void> {
  return app.transaction(async (tx) => {
    await tx.db
      .insertInto('payment_accounts')
      .values({ team_id: teamId, provider: 'stripe', customer_id: `cus_${teamId}` })
      .execute()
    if (isTold) await publish(tx, [{ type: 'billing.customer_known', teamId, data: {} }])
  })
}

/** Sends messages of a team without credit, which are accepted and answered. */
async function sendOverage(teamId: string, zones: Zone[]): Promise<string[]> {
  const sent = await acceptMessages(app, teamId, zones)
  await answerMessages(app, teamId, sent, true)
  return sent.map(({ id }) => id)
}

function idsTold(teamId: string): string[] {
  return told.filter((usage) => usage.teamId === teamId).map(({ messageId }) => messageId)
}

/** Asserts that all usage is reported, that no job waits, and that billing is exact. */
async function assertSettled(teamId: string): Promise<void> {
  const open = app.db.selectFrom('sms_usage_reports').select('message_id').where('team_id', '=', teamId)
  assert.deepEqual(await open.where('reported_at', 'is', null).execute(), [])
  const jobs = app.db.selectFrom('jobs').select('id').where('kind', '=', 'billing.report-usage')
  assert.deepEqual(await jobs.where('key', '=', teamId).execute(), [])
  await assertExactBilling(app, teamId)
}

test('overage is reported once for each message under its zone, when it is certain that it was sent', async () => {
  const team = await makeTeam()
  const at = posthorn.clock.now()
  const sent = await acceptMessages(app, team.id, [1, 2, 3, 3])
  await posthorn.runDueJobsAfter(1500)
  assert.deepEqual(idsTold(team.id), [])
  await answerMessages(app, team.id, sent.slice(0, 3), true)
  await answerMessages(app, team.id, sent.slice(3), false)
  await answerMessages(app, team.id, sent.slice(0, 3), true)
  for (let times = 0; times < 2; times++) await posthorn.runDueJobs()
  const usages = told.filter(({ teamId }) => teamId === team.id).sort((a, b) => (a.eventName < b.eventName ? -1 : 1))
  const common = { teamId: team.id, customerId: `cus_${team.id}`, at }
  assert.deepEqual(usages, [
    { ...common, messageId: sent[0]!.id, eventName: 'sms_zone1_send' },
    { ...common, messageId: sent[1]!.id, eventName: 'sms_zone2_send' },
    { ...common, messageId: sent[2]!.id, eventName: 'sms_zone3_send' },
  ])
  await assertSettled(team.id)
})

test('messages paid from the credit are not reported', async () => {
  const team = await posthorn.team({ plan: 'pro' })
  await becomeCustomer(team.id)
  await sendOverage(team.id, new Array<Zone>(8).fill(3))
  await posthorn.runDueJobs()
  assert.deepEqual(idsTold(team.id), [])
  await assertSettled(team.id)
})

test('a failed report is repeated after 5 s, 30 s, 2 min, 10 min and then each hour, until it is accepted', async () => {
  const team = await makeTeam()
  refuses = ({ teamId }) => teamId === team.id
  const [id] = await sendOverage(team.id, [1])
  await posthorn.runDueJobs()
  const delays = [5, 30, 120, 600, 3600, 3600, 3600]
  for (const [index, seconds] of delays.entries()) {
    await posthorn.runDueJobsAfter(seconds * 1000 - 1)
    assert.equal(idsTold(team.id).length, index + 1)
    posthorn.clock.advance(1)
    if (index === delays.length - 1) refuses = () => false
    await posthorn.runDueJobs()
    assert.equal(idsTold(team.id).length, index + 2)
  }
  assert.deepEqual([...new Set(idsTold(team.id))], [id])
  await assertSettled(team.id)
})

test('a report that is always refused delays no other', async () => {
  const [team, other] = [await makeTeam(), await makeTeam()]
  const poison = new Set(await sendOverage(team.id, new Array<Zone>(15).fill(2)))
  refuses = ({ messageId }) => poison.has(messageId)
  for (let seconds = 0; seconds < 60; seconds += 5) {
    await posthorn.runDueJobs()
    posthorn.clock.advance(5000)
  }
  const [good] = await sendOverage(team.id, [1])
  const [others] = await sendOverage(other.id, [1])
  await posthorn.runDueJobs()
  assert.deepEqual(idsTold(other.id), [others])
  await posthorn.runDueJobsAfter(120_000)
  assert.equal(idsTold(team.id).filter((id) => id === good).length, 1)
  refuses = () => false
  posthorn.clock.advance(3_600_000)
  for (let times = 0; times < 2; times++) await posthorn.runDueJobs()
  await assertSettled(team.id)
})

test('an unreachable provider gets ten reports at a time, and everything when it is back', async () => {
  const team = await makeTeam()
  const ids = await sendOverage(team.id, new Array<Zone>(137).fill(1))
  refuses = ({ teamId }) => teamId === team.id
  await posthorn.runDueJobs()
  assert.equal(idsTold(team.id).length, 10)
  const late = await sendOverage(team.id, [2])
  await posthorn.runDueJobs()
  assert.equal(idsTold(team.id).length, 10)
  refuses = () => false
  await posthorn.runDueJobsAfter(5000)
  assert.deepEqual(new Set(idsTold(team.id)), new Set([...ids, ...late]))
  assert.equal(idsTold(team.id).length, 10 + 138)
  await assertSettled(team.id)
})

test('overage of a team that is not a customer is kept, and reported as soon as it is one', async () => {
  const team = await makeTeam({ isCustomer: false })
  const ids = await sendOverage(team.id, [3, 3])
  await posthorn.runDueJobsAfter(7_200_000)
  assert.deepEqual(idsTold(team.id), [])
  await becomeCustomer(team.id)
  await posthorn.runDueJobs()
  assert.deepEqual(new Set(idsTold(team.id)), new Set(ids))
  await assertSettled(team.id)
})

test('overage is reported within a minute if the team becomes a customer while its job checks for that', async () => {
  const team = await makeTeam({ isCustomer: false })
  const ids = await sendOverage(team.id, [3])
  await posthorn.runDueJobs()
  await becomeCustomer(team.id, { isTold: false })
  await posthorn.runDueJobsAfter(60_000)
  assert.deepEqual(idsTold(team.id), ids)
  await assertSettled(team.id)
})

test('overage from before the period is reported at its beginning, and the time of sending stays recorded', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const sentAt = posthorn.clock.now()
  const [early] = await sendOverage(team.id, [1])
  await posthorn.runDueJobs()
  posthorn.clock.advance(10 * 86_400_000)
  const bought = Math.floor(posthorn.clock.now().getTime() / 1000)
  await post(posthorn, checkout({ id: 'sub_late', at: bought, teamId: team.id, plan: 'pro', customer: 'cus_late' }))
  posthorn.clock.advance(5000)
  await app.transaction((tx) => zeroCredit(tx, team.id, 'evt_spent'))
  const [during] = await sendOverage(team.id, [2])
  await posthorn.runDueJobs()
  const times = new Map(told.filter(({ teamId }) => teamId === team.id).map(({ messageId, at }) => [messageId, at]))
  assert.deepEqual([times.get(early!), times.get(during!)], [new Date(bought * 1000), posthorn.clock.now()])
  const { sent_at } = await app.db
    .selectFrom('sms_usage_reports')
    .select('sent_at')
    .where('message_id', '=', early!)
    .executeTakeFirstOrThrow()
  assert.deepEqual(sent_at, sentAt)
  await assertSettled(team.id)
})

test('overage that is added while others are reported is reported too', async () => {
  const team = await makeTeam()
  const first = await sendOverage(team.id, [1])
  let answer = () => {}
  pause = new Promise((resolve) => {
    answer = resolve
  })
  const running = posthorn.runDueJobs()
  while (idsTold(team.id).length === 0) await new Promise(setImmediate)
  const second = await sendOverage(team.id, [2])
  pause = null
  answer()
  await running
  assert.deepEqual(idsTold(team.id), [...first, ...second])
  await assertSettled(team.id)
})

test('overage that is added while the last one is reported is not lost', async () => {
  const team = await makeTeam()
  await sendOverage(team.id, [1])
  const [late] = await acceptMessages(app, team.id, [2])
  let commit = () => {}
  const held = new Promise<void>((resolve) => {
    commit = resolve
  })
  const { promise: added, resolve: isAdded } = Promise.withResolvers<void>()
  const adding = app.transaction(async (tx) => {
    await tx.db.updateTable('sms_messages').set({ billable: true }).where('id', '=', late!.id).execute()
    await settleMessages(tx, [{ teamId: team.id, messageId: late!.id, billable: true }])
    isAdded()
    await held
  })
  await added
  await posthorn.runDueJobs()
  assert.equal(idsTold(team.id).length, 1)
  commit()
  await adding
  await posthorn.runDueJobsAfter(1000)
  assert.equal(idsTold(team.id)[1], late!.id)
  await assertSettled(team.id)
})
