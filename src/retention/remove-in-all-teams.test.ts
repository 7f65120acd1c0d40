import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../test/app.ts'
import { features } from '../features.ts'

const posthorn = await createTestApp()
const { app, clock } = posthorn
const hourMs = 3_600_000

/**
 * The rows of these are in the databases of installations. A kind that is missing would leave its row without a job.
 */
const kinds = `
  audit.remove-old auth.clean-up billing.forget-strangers idempotency.clean-up jobs.remove-discarded privacy.clean-up
  system-mail.clean-up webhooks.clean-up whatsapp.forget-early-statuses`

test('what has the same age in all teams is removed by schedules of the kinds that installations have', async () => {
  const removals = features.flatMap((feature) => feature.removals ?? []).filter((removal) => 'keptMs' in removal)
  assert.deepEqual([...new Set(removals.map(({ kind }) => kind))].sort(), kinds.trim().split(/\s+/))
  const scheduled = features.flatMap(({ schedules = [] }) => schedules).map(({ kind }) => kind)
  for (const { kind, keptMs, everyMs, remove } of removals) {
    assert.equal(scheduled.filter((name) => name === kind).length, 1, `one schedule of ${kind}`)
    for (const other of removals.filter((removal) => removal.kind === kind)) assert.equal(other.everyMs, everyMs, kind)
    const before = new Date(clock.now().getTime() - keptMs)
    assert.equal(await app.transaction((tx) => remove(tx, before)), 0, kind)
  }
})

test('a run removes all rows of that age, in as many commits as it takes, and no younger one', async () => {
  const insert = (count: number, at: Date) =>
    sql`insert into login_failures (subject, failed_at) select 'somebody', ${at} from generate_series(1, ${count})`
  await insert(10_001, clock.now()).execute(app.db)
  clock.advance(2 * hourMs)
  await insert(3, clock.now()).execute(app.db)
  await posthorn.runDueJobs()
  const { rows } = await sql`select from login_failures`.execute(app.db)
  assert.equal(rows.length, 3)
})
