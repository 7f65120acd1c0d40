import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { retryJob } from '../platform/jobs/discarded/retry.ts'
import { listJobs } from '../platform/jobs/list.ts'
import { ask } from './fixtures/ask.ts'

const posthorn = await createTestApp()
const { app } = posthorn

let made = 0

/** Adds a discarded job whose payload names somebody, as a delivery to a domain does. */
function addDiscarded({ id }: TestTeam, recipient: string) {
  const payload = JSON.stringify({ recipients: [recipient] })
  const number = String(1_000_000 + made++)
  return sql`
    insert into discarded_jobs (id, kind, team_id, key, payload, attempts, error, created_at, discarded_at)
    values (${number}, 'emails.deliver-to-domain', ${id}, ${number}, ${payload}, 28, 'It failed.', now(), ${app.clock.now()})
  `.execute(app.db)
}

async function recipientsOf({ id }: TestTeam): Promise<string[]> {
  const jobs = await app.db.selectFrom('discarded_jobs').select('payload').where('team_id', '=', id).execute()
  return jobs.flatMap(({ payload }) => payload.recipients as string[]).sort()
}

test('an erasure deletes the discarded jobs that name the person, and an export leaves them out', async () => {
  const team = await posthorn.team()
  for (const name of ['ada', 'bob', 'nada']) await addDiscarded(team, `${name}@people.test`)
  const exported = await ask(team, { type: 'export', email: 'ada@people.test' })
  await posthorn.runDueJobs()
  assert.deepEqual((await exported.api.get(exported.path)).body.counts.discardedJobs ?? { found: 0 }, { found: 0 })
  const erased = await ask(team, { type: 'erase', email: 'ada@people.test' })
  await posthorn.runDueJobs()
  const { body } = await erased.api.get(erased.path)
  assert.equal(body.status, 'done')
  assert.deepEqual(body.counts.discardedJobs, { removed: 1, left: 0 })
  assert.deepEqual(await recipientsOf(team), ['bob@people.test', 'nada@people.test'])
})

test('the discarded jobs of a team go with it', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  for (const each of [team, other]) await addDiscarded(each, 'ada@people.test')
  const owner = await team.member('owner')
  assert.equal((await owner.api.delete('/v1/team', { confirm: 'Shop' })).status, 200)
  for (let turn = 0; turn < 50 && (await recipientsOf(team)).length > 0; turn++) await posthorn.runDueJobs()
  assert.deepEqual([(await recipientsOf(team)).length, (await recipientsOf(other)).length], [0, 1])
})

slowTest('a request that cannot be worked on fails after 25 attempts, which take a day', async () => {
  const team = await posthorn.team()
  const { path, made: request } = await ask(team, { type: 'erase', email: 'ada@people.test' })
  await sql
    .raw(`create function poison() returns trigger language plpgsql as $$ begin
      if new.id = '${request.id}' and new.status = 'running' then raise exception 'Poisoned.'; end if; return new; end $$`)
    .execute(app.db)
  await sql`create trigger poison before update on privacy_requests for each row execute function poison()`.execute(
    app.db,
  )
  // A login would end meanwhile.
  const status = async () => (await (await team.member('admin')).api.get(path)).body.status
  const begun = posthorn.clock.now().getTime()
  for (let minutes = 0; minutes < 3000 && (await status()) === 'running'; minutes += 30) {
    await posthorn.runDueJobs()
    posthorn.clock.advance(1_800_000)
  }
  assert.equal(await status(), 'failed')
  const hours = (posthorn.clock.now().getTime() - begun) / 3_600_000
  assert.ok(hours > 24 && hours < 36, `${hours} hours`)
  const filter = { kind: 'privacy.run', isFailing: false, isDiscarded: true }
  const [job, ...others] = await Array.fromAsync(listJobs(app.db, filter))
  assert.deepEqual([job!.key, job!.attempts, others.length], [request.id, 25, 0])
  await assert.rejects(retryJob(app, job!.id), /makes a new one/)
})
