import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { slowTest } from '../../../test/slow.ts'
import { checkout, deleted, post, updated } from '../payments/fixtures/stripe-events.ts'
import { readEvent } from '../payments/read-event.ts'
import { factsMax, recordFact } from './record.ts'

const posthorn = await createTestApp()
const { app } = posthorn
const now = Math.floor(posthorn.clock.now().getTime() / 1000)

function countEvents(): Promise<unknown[]> {
  return app.db.selectFrom('payment_events').select('id').execute()
}

slowTest('old events of a subscription are folded into one state, and none of them counts again', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const id = 'sub_busy'
  const plans = ['pro', 'scale', 'enterprise']
  const events = Array.from({ length: factsMax + 100 }, (_, n) => updated({ id, at: now + n, plan: plans[n % 3]! }))
  await post(posthorn, checkout({ id, at: now, teamId: team.id, plan: 'pro' }))
  await app.transaction(async (tx) => {
    for (const event of events) {
      const read = readEvent(JSON.stringify(event))
      assert(read.kind === 'said' && (await recordFact(tx, 'sandbox', read.said)) === 'recorded')
    }
  })
  assert.ok((await countEvents()).length <= factsMax)
  const read = async () => (await team.api.get('/v1/billing/subscription')).body
  const before = await read()
  assert.equal(before.plan, plans[(events.length - 1) % 3])
  assert.equal(before.currentPeriodStart, new Date(now * 1000).toISOString())
  for (const event of events.slice(0, 10)) await post(posthorn, event)
  assert.deepEqual(await read(), before)
  await post(posthorn, deleted({ id, at: now + 1 }))
  assert.equal((await read()).plan, 'free')
})

test('events of subscriptions that never get a team are deleted after a month', async () => {
  const before = (await countEvents()).length
  await post(posthorn, updated({ id: 'sub_stranger', at: now, plan: 'pro' }))
  await posthorn.runDueJobsAfter(29 * 86_400_000)
  assert.equal((await countEvents()).length, before + 1)
  await posthorn.runDueJobsAfter(2 * 86_400_000)
  assert.equal((await countEvents()).length, before)
})

test('any number of subscriptions without a team is deleted in short transactions', async () => {
  await sql`create table deletions (count int)`.execute(app.db)
  await sql`
    create function note() returns trigger language plpgsql as
      'begin insert into deletions select count(*) from gone; return null; end'
  `.execute(app.db)
  await sql`
    create trigger note after delete on payment_subscriptions referencing old table as gone
    for each statement execute function note()
  `.execute(app.db)
  await sql`
    insert into payment_subscriptions (id, provider, started_at, counts, state, updated_at)
    select 'sub_stranger' || n, 'sandbox', now(), false, '{}', '2030-01-01' from generate_series(1, 120) as n
  `.execute(app.db)
  await posthorn.runDueJobsAfter(2 * 86_400_000)
  const { rows } = await sql<{ count: number }>`select count from deletions where count > 0`.execute(app.db)
  assert.deepEqual(pluck(rows, 'count'), [50, 50, 20])
})
