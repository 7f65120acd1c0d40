import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTestApp } from '../../../test/app.ts'
import { forAllAsync } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import type { Plan } from '../../context.ts'
import { assertExactBilling } from '../fixtures/exact.ts'
import { countDeadlocks } from '../fixtures/locks.ts'
import { acceptMessages, answerMessages, type SentMessage } from '../fixtures/messages.ts'
import { creditUnitsOf, planNames } from '../plans.ts'
import type { Zone } from '../rate-card.ts'
import { setPlan } from '../set-plan.ts'
import { findCredit } from './queries.ts'
import { refillCredit, zeroCredit } from './set.ts'

const posthorn = await createTestApp()
const { app } = posthorn
const dayMs = 86_400_000

async function balanceOf(teamId: string): Promise<number> {
  return (await findCredit(app.db, teamId)).balanceUnits
}

function refill(teamId: string, plan: Plan, cause: string): Promise<void> {
  return app.transaction((tx) => refillCredit(tx, teamId, plan, cause))
}

function fill(count: number, zone: Zone): Zone[] {
  return new Array<Zone>(count).fill(zone)
}

test('the credit pays for exactly as many of fifty concurrent messages as it covers', async () => {
  const team = await posthorn.team({ plan: 'pro' })
  await acceptMessages(app, team.id, fill(5, 2))
  assert.equal(await balanceOf(team.id), 20 * 800)
  const sent = (await Promise.all(Array.from({ length: 50 }, () => acceptMessages(app, team.id, [2])))).flat()
  assert.equal(sent.filter(({ paidFrom }) => paidFrom === 'credit').length, 20)
  assert.equal(sent.filter(({ paidFrom }) => paidFrom === 'overage').length, 30)
  assert.equal(await balanceOf(team.id), 0)
  await assertExactBilling(app, team.id)
})

test('a message is paid from the credit as a whole or not at all, and a cheaper one after it may still be', async () => {
  const team = await posthorn.team({ plan: 'pro' })
  const sent = await acceptMessages(app, team.id, [...fill(7, 3), 2, 3, 2, 2, 1])
  const paidFrom = sent.slice(7).map((message) => [message.zone, message.paidFrom, message.units])
  assert.deepEqual(paidFrom, [
    [2, 'credit', 800],
    [3, 'overage', 2500],
    [2, 'credit', 800],
    [2, 'credit', 800],
    [1, 'overage', 200],
  ])
  assert.equal(await balanceOf(team.id), 100)
  await assertExactBilling(app, team.id)
})

test('teams that send at the same time are charged from their own credit', async () => {
  const [rich, poor] = [await posthorn.team({ plan: 'scale' }), await posthorn.team({ plan: 'free' })]
  const sent = await Promise.all(
    [rich, poor].flatMap(({ id }) => [1, 2, 3].map(() => acceptMessages(app, id, [3, 2, 1]))),
  )
  assert.deepEqual(
    [
      ...new Set(
        sent
          .slice(0, 3)
          .flat()
          .map(({ paidFrom }) => paidFrom),
      ),
    ],
    ['credit'],
  )
  assert.deepEqual(
    [
      ...new Set(
        sent
          .slice(3)
          .flat()
          .map(({ paidFrom }) => paidFrom),
      ),
    ],
    ['overage'],
  )
  assert.equal(await balanceOf(rich.id), 200_000 - 3 * 3500)
  assert.equal(await balanceOf(poor.id), 0)
})

test('a refused message costs nothing, also if the refusal is recorded twice, and its credit pays for another message', async () => {
  const team = await posthorn.team({ plan: 'pro' })
  const sent = await acceptMessages(app, team.id, fill(9, 3))
  const [first, last] = [sent[0]!, sent[8]!]
  assert.deepEqual([first.paidFrom, last.paidFrom], ['credit', 'overage'])
  for (let times = 0; times < 2; times++) await answerMessages(app, team.id, [first, last], false)
  assert.equal(await balanceOf(team.id), 2500)
  await answerMessages(app, team.id, [first, last], true)
  assert.equal(await balanceOf(team.id), 2500)
  await assertExactBilling(app, team.id)
  assert.equal((await acceptMessages(app, team.id, [3]))[0]!.paidFrom, 'credit')
})

test('credit of an earlier period is not returned into a new one', async () => {
  const team = await posthorn.team({ plan: 'pro' })
  const [before] = await acceptMessages(app, team.id, [3])
  await refill(team.id, 'pro', 'evt_1')
  await answerMessages(app, team.id, [before!], false)
  assert.equal(await balanceOf(team.id), 20_000)
  const [during] = await acceptMessages(app, team.id, [3])
  await app.transaction((tx) => zeroCredit(tx, team.id, 'evt_2'))
  await answerMessages(app, team.id, [during!], false)
  assert.equal(await balanceOf(team.id), 0)
  await assertExactBilling(app, team.id)
})

test('a plan that an operator sets has its credit at once, and its months begin at that time', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const put = (plan: Plan) => app.transaction((tx) => setPlan(tx, team.id, plan))
  const began = posthorn.clock.now()
  assert.equal(await put('pro'), true)
  const month = { periodStart: began, periodEnd: new Date('2030-07-15T12:00:00.000Z') }
  assert.deepEqual(await findCredit(app.db, team.id), { balanceUnits: 20_000, ...month })
  await acceptMessages(app, team.id, [3])
  posthorn.clock.advance(dayMs)
  await put('pro')
  assert.deepEqual(await findCredit(app.db, team.id), { balanceUnits: 17_500, ...month })
  await put('scale')
  const later = { periodStart: posthorn.clock.now(), periodEnd: new Date('2030-07-16T12:00:00.000Z') }
  assert.deepEqual(await findCredit(app.db, team.id), { balanceUnits: 200_000, ...later })
  await put('free')
  assert.deepEqual(await findCredit(app.db, team.id), { balanceUnits: 0, periodStart: null, periodEnd: null })
  assert.equal(await app.transaction((tx) => setPlan(tx, app.newId(), 'pro')), false)
  await assertExactBilling(app, team.id)
})

test('its credit is renewed each month, once for months that passed while nothing ran', async () => {
  const [team, subscribed] = [await posthorn.team({ plan: 'pro' }), await posthorn.team({ plan: 'pro' })]
  await refill(subscribed.id, 'pro', 'evt_sub')
  for (const { id } of [team, subscribed]) await acceptMessages(app, id, [3])
  const spent = { balanceUnits: 17_500 }
  posthorn.clock.set('2030-07-16T11:59:59.999Z')
  await posthorn.runDueJobs()
  assert.equal(await balanceOf(team.id), spent.balanceUnits)
  posthorn.clock.set('2030-07-16T12:01:00.000Z')
  await posthorn.runDueJobs()
  const july = { periodStart: new Date('2030-07-16T12:00:00Z'), periodEnd: new Date('2030-08-16T12:00:00Z') }
  assert.deepEqual(await findCredit(app.db, team.id), { balanceUnits: 20_000, ...july })
  assert.equal(await balanceOf(subscribed.id), spent.balanceUnits, 'subscriptions are renewed by their provider')
  posthorn.clock.set('2030-12-24T00:00:00.000Z')
  for (let times = 0; times < 2; times++) await posthorn.runDueJobs()
  const december = { periodStart: new Date('2030-12-16T12:00:00Z'), periodEnd: new Date('2031-01-16T12:00:00Z') }
  assert.deepEqual(await findCredit(app.db, team.id), { balanceUnits: 20_000, ...december })
  const entries = app.db
    .selectFrom('sms_ledger')
    .select('cause')
    .where('team_id', '=', team.id)
    .where('kind', '=', 'refill')
  const causes = (await entries.orderBy('id').execute()).map(({ cause }) => cause)
  assert.deepEqual(causes, ['month 2030-07-16T12:00:00.000Z', 'month 2030-12-16T12:00:00.000Z'])
  await assertExactBilling(app, team.id)
})

const zone = fc.constantFrom<Zone>(1, 2, 3)
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('accept' as const), zones: fc.array(zone, { minLength: 1, maxLength: 6 }) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('answer' as const), pick: fc.nat(), billable: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('refill' as const),
      plan: fc.constantFrom<Plan>('pro', 'scale'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('zero' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('plan' as const), plan: fc.constantFrom(...planNames) }) },
)

propertyTest(
  'concurrent sends, refusals and refills in any order leave exact accounts and do not deadlock',
  async () => {
    const before = await countDeadlocks(app)
    await forAllAsync(
      25,
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, width) => {
        const team = await posthorn.team({ plan: 'pro' })
        const sent: SentMessage[] = []
        for (let start = 0; start < steps.length; start += width) {
          const [at, known] = [start, [...sent]]
          const together = steps.slice(at, at + width).map(async (each, offset) => {
            if (each.do === 'accept') sent.push(...(await acceptMessages(app, team.id, each.zones)))
            else if (each.do === 'zero') await app.transaction((tx) => zeroCredit(tx, team.id, `evt_${at + offset}`))
            else if (each.do === 'plan') await app.transaction((tx) => setPlan(tx, team.id, each.plan))
            else if (each.do === 'refill') await refill(team.id, each.plan, `evt_${at + offset}`)
            else if (known.length > 0)
              await answerMessages(app, team.id, [known[each.pick % known.length]!], each.billable)
          })
          await Promise.all(together)
        }
        await assertExactBilling(app, team.id)
        assert.ok((await balanceOf(team.id)) <= creditUnitsOf('enterprise'))
      },
    )
    assert.equal(await countDeadlocks(app), before)
  },
)
