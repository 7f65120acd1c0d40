import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ok } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { untilWaiting, whileLocked } from '../../../test/while-locked.ts'
import { createWorld } from '../../emails/providers/direct/fixtures/world.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.ts'
import { deleteJob } from '../../platform/jobs/waiting-jobs.ts'
import { setTeamLimits } from '../../teams/set-plan.ts'
import { createAudience, readers, runFor } from '../fixtures/audience.ts'
import { dispatchBroadcastJob, stopBroadcastJob } from '../jobs.ts'

const world = await createWorld()
const { posthorn } = world
const { app } = posthorn

/** Begins a broadcast that has `count` emails waiting for a host, and further ones to send on another day. */
async function waiting(count: number) {
  const { team, domain } = await world.sender()
  await app.transaction((tx) =>
    setTeamLimits(tx, team.id, { dailyEmailLimit: count, emailsPerSecond: 5000, batchSize: 5000 }),
  )
  world.dns.become('failing')
  const { segmentId } = await createAudience(posthorn, team, readers(count + 2))
  const draft = { name: 'News', from: `a@${domain}`, segmentId, subject: 'News', text: 'x' }
  const { id } = await ok(team.api.post('/v1/broadcasts', draft), 201)
  await ok(team.api.post(`/v1/broadcasts/${id}/send`))
  await posthorn.runDueJobs()
  const stats = async () => {
    const { total, sent, skipped } = await ok(team.api.get(`/v1/broadcasts/${id}/stats`))
    return [total, sent, skipped.cancelled]
  }
  return { team, domain, id, path: `/v1/broadcasts/${id}`, stats }
}

test('a broadcast whose cancellation was begun by a process that died sends no more and ends', async () => {
  const { team, id, path, stats } = await waiting(2)
  assert.deepEqual(await stats(), [4, 2, undefined])
  await app.transaction(async (tx) => {
    await deleteJob(tx, dispatchBroadcastJob, id)
    await enqueueJob(tx, stopBroadcastJob, { teamId: team.id, key: id })
  })
  await posthorn.runDueJobs()
  assert.equal((await ok(team.api.get(path))).status, 'sent')
  assert.deepEqual(await stats(), [4, 0, 4])
  world.dns.become('answering')
  await runFor(posthorn, 5)
  assert.deepEqual(await stats(), [4, 0, 4])
})

slowTest('a cancellation that fails for days ends within an hour once its fault is mended', async () => {
  const { team, path, stats } = await waiting(2)
  const refusal = `begin if new.status = 'sent' then raise exception 'Not now.'; end if; return new; end`
  await sql.raw(`create function refuse_end() returns trigger language plpgsql as $$ ${refusal} $$`).execute(app.db)
  await sql`create trigger refuse_end before update on broadcasts for each row execute function refuse_end()`.execute(
    app.db,
  )
  assert.equal((await team.api.post(`${path}/cancel`)).status, 500)
  for (let hour = 0; hour < 80; hour += 2) await posthorn.runDueJobsAfter(2 * 3_600_000)
  await sql`drop trigger refuse_end on broadcasts`.execute(app.db)
  assert.equal((await ok(team.api.get(path))).status, 'sending')
  await posthorn.runDueJobsAfter(3_600_000)
  assert.equal((await ok(team.api.get(path))).status, 'sent')
  assert.equal((await stats())[0], 4)
})

slowTest('the cancellation of a large broadcast does not hold up other mail of the team', async () => {
  const { team, domain, id, path, stats } = await waiting(2001)
  assert.deepEqual(await stats(), [2003, 2001, undefined])
  await app.transaction((tx) => setTeamLimits(tx, team.id, { dailyEmailLimit: 3000 }))
  const last = sql`
    select from emails where team_id = ${team.id} and id = (select max(id::text)::uuid from emails where team_id = ${team.id})
    for no key update
  `
  const [cancelling] = await whileLocked(app, last, async () => {
    const answer = team.api.post(`${path}/cancel`)
    await untilWaiting(app, 1, 'emails')
    const hello = { from: `a@${domain}`, to: ['ada@elsewhere.test'], subject: 'Hello', text: 'x' }
    await ok(team.api.post('/v1/emails', hello))
    return [answer]
  })
  assert.equal((await ok(cancelling!)).status, 'sent')
  assert.deepEqual(await stats(), [2003, 0, 2003])
  assert.equal((await ok(team.api.get(`/v1/broadcasts/${id}`))).status, 'sent')
})
