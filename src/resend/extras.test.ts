import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ok } from '../../test/app.ts'
import { createResendApp, given } from './fixtures/client.ts'

const { posthorn, setUp } = await createResendApp()
const { app } = posthorn

test('what Resend knows of a row goes within a day after the row, however much there is, and the rest stays', async () => {
  const { team, resend } = await setUp()
  const make = (name: string) => given(resend.topics.create({ name, defaultSubscription: 'opt_in' }))
  const [kept, deleted] = [await make('Kept'), await make('Deleted')]
  await ok(team.api.delete(`/v1/topics/${deleted.id}`))
  await sql`
    insert into resend_extras (team_id, id, noun, extra, created_at)
    select ${team.id}, gen_random_uuid(), 'email', '{}', now() from generate_series(1, 2500)
  `.execute(app.db)
  await posthorn.runDueJobsAfter(25 * 3_600_000)
  const rows = await app.db.selectFrom('resend_extras').select('id').where('team_id', '=', team.id).execute()
  assert.deepEqual(rows, [{ id: kept.id }])
})
