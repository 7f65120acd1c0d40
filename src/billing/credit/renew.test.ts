import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../../test/app.ts'
import { untilWaiting } from '../../../test/while-locked.ts'
import { post, updated } from '../payments/fixtures/stripe-events.ts'
import { findCredit } from './queries.ts'

const posthorn = await createTestApp()
const { app } = posthorn

async function balanceOf(teamId: string): Promise<number> {
  return (await findCredit(app.db, teamId)).balanceUnits
}

test('a team whose month cannot be renewed does not delay others, and the job fails', async () => {
  posthorn.clock.set('2030-06-15T12:00:00Z')
  const [bad, good] = [await posthorn.team({ plan: 'pro' }), await posthorn.team({ plan: 'pro' })]
  await sql`update sms_credit set balance_units = 0`.execute(app.db)
  // Renewed first, because its month ended earlier.
  await sql`update sms_credit set period_end = period_end - interval '1 hour' where team_id = ${bad.id}`.execute(app.db)
  await sql
    .raw(`alter table sms_ledger add constraint no_refill check (team_id <> '${bad.id}') not valid`)
    .execute(app.db)
  posthorn.clock.set('2030-07-15T12:00:01Z')
  await posthorn.runDueJobs()
  assert.deepEqual([await balanceOf(bad.id), await balanceOf(good.id)], [0, 20_000])
  const job = () =>
    app.db.selectFrom('jobs').select('last_error').where('kind', '=', 'billing.renew').executeTakeFirst()
  assert.match((await job())!.last_error!, /month of 1 teams could not be renewed/)
  await sql`alter table sms_ledger drop constraint no_refill`.execute(app.db)
  await posthorn.runDueJobsAfter(60_000)
  assert.equal(await balanceOf(bad.id), 20_000)
})

test('a month that begins as the plan changes begins with the credit of the new one', async () => {
  const team = await posthorn.team({ plan: 'scale' })
  const began = Math.floor(posthorn.clock.now().getTime() / 1000)
  posthorn.clock.advance(31 * 86_400_000)
  const { promise: go, resolve } = Promise.withResolvers<void>()
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>()
  const holding = app.transaction(async (tx) => {
    await sql`select from sms_credit where team_id = ${team.id} for update`.execute(tx.db)
    isHeld()
    await go
  })
  await held
  const turning = posthorn.runDueJobs()
  await untilWaiting(app)
  // Active without an invoice yet: the plan changes, and the months of the operator's plan continue.
  await post(posthorn, updated({ id: 'sub_1', at: began, teamId: team.id, plan: 'pro' }))
  resolve()
  await Promise.all([holding, turning])
  assert.equal(await balanceOf(team.id), 20_000)
})
