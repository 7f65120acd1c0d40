import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../../../test/app.ts'
import { pluck } from '../../../../test/pluck.ts'
import { retryJob } from '../../../platform/jobs/discarded/retry.ts'
import { listJobs } from '../../../platform/jobs/list.ts'
import { delay, makeFlow, statusesOf } from '../fixtures/flow.ts'

const posthorn = await createTestApp()
const { app, clock } = posthorn

test('an execution that cannot be continued fails with the error, where its team sees it', async () => {
  const team = await posthorn.team()
  const flow = await makeFlow(team, [delay('a', '1h')], ['start>a'])
  const [id, sound] = [await flow.start(), await flow.start()]
  // A bug of ours that concerns one execution.
  await sql
    .raw(`create function poison() returns trigger language plpgsql as $$ begin
    if new.execution_id = '${id}' then raise exception using message = 'The row is poisoned.'; end if; return new; end $$`)
    .execute(app.db)
  await sql`create trigger poison before insert on workflow_execution_nodes for each row execute function poison()`.execute(
    app.db,
  )
  for (let minutes = 0; minutes < 70; minutes++) {
    await posthorn.runDueJobs()
    clock.advance(60_000)
  }
  await posthorn.runDueJobs()
  assert.equal((await flow.get(sound)).status, 'completed')
  const execution = await flow.get(id)
  assert.deepEqual(statusesOf(execution), { execution: 'failed', a: 'pending' })
  assert.match(execution.error!, /^Given up: /)
  const jobs = await Array.fromAsync(listJobs(app.db, { kind: null, isFailing: false, isDiscarded: true }))
  assert.deepEqual(pluck(jobs, 'key'), [id])
  assert.match(jobs[0]!.error!, /The row is poisoned/)
  await assert.rejects(retryJob(app, jobs[0]!.id), /rerun/)
})
