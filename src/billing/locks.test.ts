import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../test/app.ts'
import { untilWaiting } from '../../test/while-locked.ts'
import type { Tx } from '../context.ts'
import { chargeMessages } from './credit/charge.ts'
import { settleMessages } from './credit/settle.ts'
import { countDeadlocks } from './fixtures/locks.ts'
import { acceptMessages, answerMessages } from './fixtures/messages.ts'
import { buyers } from './payments/fixtures/buyers.ts'
import { checkout, paid, post } from './payments/fixtures/stripe-events.ts'
import { setPlan } from './set-plan.ts'

const posthorn = await createTestApp()
const { app } = posthorn
const { buyer, next, now } = buyers(posthorn)

/**
 * Runs `other` after `first`, and `second` once `other` waits. Returns how often `first` and `second` had to be tried.
 */
async function cross(
  first: (tx: Tx) => Promise<void>,
  second: (tx: Tx) => Promise<void>,
  other: () => Promise<unknown>,
) {
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let tries = 0
  const one = app.transaction(async (tx) => {
    tries++
    await first(tx)
    begun.resolve()
    await goOn.promise
    await second(tx)
  })
  await begun.promise
  const two = other()
  await untilWaiting(app)
  goOn.resolve()
  await Promise.all([one, two])
  return tries
}

test('a plan that is set while a message is accepted waits for the message', async () => {
  const team = await posthorn.team({ plan: 'pro' })
  const id = app.newId()
  let plans = 0
  const tries = await cross(
    async (tx) => void (await chargeMessages(tx, [{ teamId: team.id, messageId: id, zone: 1 }])),
    // The foreign key of a message's row takes the same lock.
    async (tx) => void (await sql`select from teams where id = ${team.id} for key share`.execute(tx.db)),
    () =>
      app.transaction((tx) => {
        plans++
        return setPlan(tx, team.id, 'scale')
      }),
  )
  assert.deepEqual([tries, plans], [1, 1])
})

test('a checkout that comes while messages are settled waits for them', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const sent = await acceptMessages(app, team.id, [1, 1, 1])
  const settled = (index: number, billable: boolean) => ({ teamId: team.id, messageId: sent[index]!.id, billable })
  await answerMessages(app, team.id, [sent[0]!], true)
  // The team is not a customer yet, so its job waits.
  await posthorn.runDueJobs()
  const before = await countDeadlocks(app)
  const tries = await cross(
    (tx) => settleMessages(tx, [settled(1, false)]),
    (tx) => settleMessages(tx, [settled(2, true)]),
    () => post(posthorn, checkout({ id: 'sub_cross', at: now, teamId: team.id, plan: 'pro' })),
  )
  assert.deepEqual([tries, await countDeadlocks(app)], [1, before])
})

test('a period that begins as an operator sets a plan begins with the credit of that plan', async () => {
  const { team, id, read } = await buyer('pro')
  const goOn = Promise.withResolvers<void>()
  const isSet = Promise.withResolvers<void>()
  const setting = app.transaction(async (tx) => {
    await setPlan(tx, team.id, 'enterprise')
    isSet.resolve()
    await goOn.promise
  })
  await isSet.promise
  const paying = post(posthorn, paid({ id, at: next.start, period: next }))
  await untilWaiting(app)
  goOn.resolve()
  await Promise.all([setting, paying])
  const { plan, smsCreditCentsRemaining } = await read()
  assert.deepEqual([plan, smsCreditCentsRemaining], ['enterprise', 8000])
})
