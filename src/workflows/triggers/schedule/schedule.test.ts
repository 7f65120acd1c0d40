import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { pluck } from '../../../../test/pluck.ts'
import { slowTest } from '../../../../test/slow.ts'
import { activate } from '../fixtures/active.ts'

const posthorn = await createTestApp()
const other = await posthorn.another()

/** Both processes look for work at the same time. */
async function at(time: string) {
  posthorn.clock.set(time)
  await Promise.all([posthorn, other, posthorn, other].map(({ app }) => app.jobs.runDue()))
}

const schedule = (cron: string, timezone?: string) => ({ type: 'schedule', config: { cron, timezone } })

/** Each test has its own day, so that no schedule of an earlier test fires. */
async function setUp(day: string, cron: string, timezone?: string) {
  posthorn.clock.set(`${day}T00:00:00Z`)
  const team = await posthorn.team()
  return activate(team, schedule(cron, timezone))
}

test('each due time fires once and not early, however many processes look for it', async () => {
  const workflow = await setUp('2031-01-01', '0 * * * *')
  await at('2031-01-01T00:59:59.999Z')
  assert.deepEqual(await workflow.triggerData(), [])
  for (const hour of ['01', '02', '03']) await at(`2031-01-01T${hour}:00:00.000Z`)
  assert.deepEqual(await workflow.triggerData(), [
    { scheduledAt: '2031-01-01T01:00:00.000Z' },
    { scheduledAt: '2031-01-01T02:00:00.000Z' },
    { scheduledAt: '2031-01-01T03:00:00.000Z' },
  ])
  await workflow.switch()
})

test('only the last of the due times that were missed while no process ran fires', async () => {
  const workflow = await setUp('2031-02-01', '*/10 * * * *')
  await at('2031-02-01T05:47:00Z')
  await at('2031-02-01T05:49:59Z')
  assert.deepEqual(await workflow.triggerData(), [{ scheduledAt: '2031-02-01T05:40:00.000Z' }])
  await at('2031-02-01T05:50:00Z')
  assert.deepEqual((await workflow.triggerData()).length, 2)
  await workflow.switch()
})

test('a schedule of every second does not accumulate due times, and skips none that is slightly late', async () => {
  const workflow = await setUp('2031-03-01', '* * * * * *')
  await at('2031-03-01T00:00:01.900Z')
  await at('2031-03-01T00:00:02.100Z')
  await at('2031-03-01T00:10:00.000Z')
  assert.deepEqual(
    (await workflow.triggerData()).map(({ scheduledAt }) => scheduledAt.slice(14, 19)),
    ['00:01', '00:02', '10:00'],
  )
  await workflow.switch()
})

test('due times are in the schedule’s zone', async () => {
  const workflow = await setUp('2031-03-29', '0 9 * * *', 'Europe/Berlin')
  await at('2031-03-29T08:00:00Z')
  await at('2031-03-30T07:00:00Z')
  assert.deepEqual(await workflow.triggerData(), [
    { scheduledAt: '2031-03-29T08:00:00.000Z' },
    { scheduledAt: '2031-03-30T07:00:00.000Z' },
  ])
  await workflow.switch()
})

test('a deactivated schedule does not fire, and begins anew once it is activated again', async () => {
  const workflow = await setUp('2031-04-01', '0 * * * *')
  await workflow.switch()
  await at('2031-04-01T05:30:00Z')
  await workflow.switch()
  await at('2031-04-01T05:31:00Z')
  assert.deepEqual(await workflow.triggerData(), [])
  await at('2031-04-01T06:00:00Z')
  assert.deepEqual(await workflow.triggerData(), [{ scheduledAt: '2031-04-01T06:00:00.000Z' }])
  await workflow.switch()
})

test('a deactivated workflow has no job for its schedule', async () => {
  const workflow = await setUp('2031-05-01', '0 * * * *')
  const jobs = () => posthorn.app.db.selectFrom('jobs').select('kind').where('key', '=', workflow.id).execute()
  assert.deepEqual(await jobs(), [{ kind: 'workflows.schedule' }])
  await workflow.switch()
  assert.deepEqual(await jobs(), [])
})

test('activation names the faults of a schedule', async () => {
  const { api } = await posthorn.team()
  const { body } = await api.post('/v1/workflows', { name: 'Never' })
  const path = `/v1/workflows/${body.id}`
  await api.patch(path, { nodes: [{ id: 'start', ...schedule('0 0 30 2 *', 'Mars/Base') }], connections: [] })
  const refused = await api.post(`${path}/activate`)
  assert.equal(refused.status, 400)
  assert.deepEqual(pluck(refused.body.errors, 'path'), ['nodes[0].config.cron', 'nodes[0].config.timezone'])
})

slowTest('a team with many due schedules does not delay the one of another team', async () => {
  posthorn.clock.set('2031-09-01T00:00:00Z')
  const [busy, quiet] = [await posthorn.team(), await posthorn.team()]
  const workflows = []
  for (let made = 0; made < 24; made++) workflows.push(await activate(busy, schedule('1 * * * *')))
  const waited = await activate(quiet, schedule('2 * * * *'))
  posthorn.clock.set('2031-09-01T00:02:00Z')
  await posthorn.runDueJobs()
  const executions = await posthorn.app.db
    .selectFrom('workflow_executions')
    .select('workflow_id')
    .where('team_id', 'in', [busy.id, quiet.id])
    .orderBy('id')
    .execute()
  assert.equal(executions.length, 25)
  const place = executions.findIndex(({ workflow_id }) => workflow_id === waited.id)
  assert.ok(place < 8, `its execution was number ${place + 1}`)
  for (const workflow of [...workflows, waited]) await workflow.switch()
})
