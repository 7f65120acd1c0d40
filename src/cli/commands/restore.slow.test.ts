import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { ok } from '../../../test/app.ts'
import { databaseUrl } from '../../../test/database.ts'
import { databaseProxy } from '../../../test/database-proxy.ts'
import { until } from '../../../test/patience.ts'
import { pluck, pluckRows } from '../../../test/pluck.ts'
import { slowTest } from '../../../test/slow.ts'
import { createAudience } from '../../broadcasts/fixtures/audience.ts'
import { readAll } from '../../feed/fixtures/read-all.ts'
import { activeSender } from '../../sms/fixtures/sender.ts'
import { call, delay, makeFlow } from '../../workflows/executions/fixtures/flow.ts'
import { makeWorkflow } from '../../workflows/fixtures/make.ts'
import { createInstallation, mailOf } from '../fixtures/installation.ts'
import { appOn, emptyDatabase, isEmpty } from '../fixtures/restored.ts'

const installation = await createInstallation()
const { posthorn, environment, team, backUp, restore, inHours, runWith } = installation
const { app } = posthorn
const hourMs = 3_600_000

/** Makes all that waits in the source due a minute ago, as it is when a backup is restored later. */
async function makeDue(...keys: string[]): Promise<void> {
  await sql`update jobs set run_at = now() - interval '1 minute' where key = any(${keys})`.execute(app.db)
}

async function scheduled(subject: string): Promise<string> {
  const email = mailOf(team, subject, { scheduledAt: inHours(2) })
  return (await ok(team.api.post('/v1/emails', email))).id
}

/** Restores the installation as it is now. */
async function restored(...options: string[]) {
  const [file, target] = [await backUp(), await emptyDatabase()]
  const { stdout } = await restore(target.environment, ...options, file)
  const another = await appOn(target.config)
  const api = another.as(team.key)
  const subjects = async () => pluck((await ok(api.get('/v1/inbox?limit=100'))).data, 'subject')
  return { ...another, api, stdout, target, subjects }
}

test('an email that was due at the restore is not sent but bounced with the reason, until the operator runs its job; a later one is sent when it is due', async () => {
  const [due, later] = [await scheduled('Due'), await scheduled('Later')]
  await makeDue(due)
  const { api, stdout, subjects, target, runDueJobs, runDueJobsAfter } = await restored()
  assert.match(stdout, /Discarded jobs that were due, since they may have been done after the backup: 1\. See:/)
  await runDueJobs()
  assert.deepEqual((await subjects()).includes('Due'), false)
  const bounced = await ok(api.get(`/v1/emails/${due}`))
  assert.equal(bounced.status, 'bounced')
  const events = JSON.stringify(await ok(api.get(`/v1/emails/${due}/events`)))
  assert.match(events, /Restored from a backup of \S+Z: it may have been handed over since\./)
  assert.equal((await ok(api.get(`/v1/emails/${later}`))).status, 'scheduled')
  const listed = await runWith(target.environment, 'jobs', 'list', '--discarded')
  const [line = ''] = listed.stdout.split('\n')
  const [, id] = /since\. Run it with posthorn jobs retry (\d+) if it was not\.$/.exec(line) ?? []
  assert.equal(line.split('\t')[0], id)
  assert.equal((await runWith(target.environment, 'jobs', 'retry', id!)).code, 0)
  await runDueJobsAfter(60_000)
  assert.ok((await subjects()).includes('Due'))
  assert.ok(!(await subjects()).includes('Later'))
  await runDueJobsAfter(3 * hourMs)
  assert.ok((await subjects()).includes('Later'))
})

slowTest('with --send-waiting what was due is sent, as from a server that was stopped before its backup', async () => {
  await makeDue(await scheduled('Waited'))
  const { runDueJobs, subjects } = await restored('--send-waiting')
  await runDueJobs()
  assert.ok((await subjects()).includes('Waited'))
})

slowTest(
  'a broadcast that was being sent ends, and goes on with those whom it had not reached if the operator says so',
  async () => {
    const { segmentId } = await createAudience(posthorn, team, [
      { email: 'one@people.test' },
      { email: 'two@people.test' },
    ])
    const from = `Shop <news@${team.domain}>`
    const draft = { name: 'News', from, segmentId, subject: 'News', text: 'News' }
    const { id } = await ok(team.api.post('/v1/broadcasts', draft), 201)
    await ok(team.api.post(`/v1/broadcasts/${id}/send`))
    await sql`update broadcasts set status = 'sending', planned_at = null where id = ${id}`.execute(app.db)
    await makeDue(id)
    const { api, runDueJobs, subjects } = await restored()
    await runDueJobs()
    assert.deepEqual((await subjects()).includes('News'), false)
    assert.equal((await ok(api.get(`/v1/broadcasts/${id}`))).status, 'sent')
  },
)

slowTest('deliveries of webhooks that were due fail and can be replayed, and later ones are still made', async () => {
  const endpointUrl = 'https://hooks.example.com/told'
  const webhook = await ok(team.api.post('/v1/webhooks', { endpointUrl, events: ['email.sent'] }))
  await ok(team.api.post('/v1/emails', mailOf(team, 'Told')))
  await ok(team.api.post('/v1/emails', mailOf(team, 'Told later')))
  await sql`
    update webhook_deliveries set due_at = now() + interval '1 hour' where webhook_id = ${webhook.id} and id = (
      select id from webhook_deliveries where webhook_id = ${webhook.id} order by id desc limit 1)
  `.execute(app.db)
  await makeDue(webhook.id)
  const { api, runDueJobs, app: other } = await restored()
  const deliveries = async () =>
    pluckRows((await ok(api.get(`/v1/webhooks/${webhook.id}/deliveries`))).data, 'status', 'attempts')
  await runDueJobs()
  assert.deepEqual(await deliveries(), [
    ['pending', 0],
    ['failed', 0],
  ])
  const { run_at } = await other.db
    .selectFrom('jobs')
    .select('run_at')
    .where('key', '=', webhook.id)
    .executeTakeFirstOrThrow()
  assert.ok(run_at > other.clock.now())
  assert.deepEqual(await ok(api.post(`/v1/webhooks/${webhook.id}/replay`, { since: inHours(-1) })), { queued: 1 })
  await team.api.delete(`/v1/webhooks/${webhook.id}`)
})

slowTest(
  'an execution whose next step was due fails with the reason, one whose step is due later goes on, and a schedule fires at its next time',
  async () => {
    const flow = await makeFlow(team, [delay('wait', '2h'), call('tell', 'https://127.0.0.1:9')], ['start>wait>tell'])
    const [due, later] = [await flow.run(posthorn), await flow.run(posthorn)]
    const cron = { id: 'start', type: 'schedule', config: { cron: '0 * * * *' } }
    const hourly = await makeWorkflow(team, { nodes: [cron], connections: [] })
    await sql`
    update jobs set payload = jsonb_build_object('due', to_char(date_trunc('hour', now() at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
    where key = ${hourly.id}
  `.execute(app.db)
    await makeDue(due, hourly.id)
    const { api, runDueJobs, runDueJobsAfter } = await restored()
    await runDueJobs()
    const executionOf = (id: string) => ok(api.get(`${flow.executionsPath}/${id}`))
    const failed = await executionOf(due)
    assert.equal(failed.status, 'failed')
    assert.match(failed.error, /^Given up: Restored from a backup of \S+Z: it may have been handed over since\.$/)
    assert.equal((await executionOf(later)).status, 'waiting')
    const fired = async () => (await ok(api.get(hourly.executionsPath))).data.length
    assert.equal(await fired(), 0)
    await runDueJobsAfter(hourMs)
    assert.equal(await fired(), 1)
    await team.api.delete(hourly.path)
  },
)

slowTest(
  'an SMS that was being handed over or waited for it is of unknown outcome, and is not sent again',
  async () => {
    const senderId = await activeSender(team)
    const [sms, waiting] = [
      await ok(team.api.post('/v1/sms', { to: '+14155550123', body: 'Hello', senderId })),
      await ok(team.api.post('/v1/sms', { to: '+14155550123', body: 'Hello', senderId })),
    ]
    // As it is while the provider is asked.
    await sql`update sms_messages set status = 'queued', sent_at = null, provider_message_id = null where id = ${sms.id}`.execute(
      app.db,
    )
    // As it is before, for the last messages of a batch.
    await sql`
    update sms_messages set status = 'accepted', sent_at = null, provider_message_id = null, handed_over_at = null
    where id = ${waiting.id}
  `.execute(app.db)
    for (const { id } of [sms, waiting])
      await sql`
      insert into jobs (kind, team_id, key, run_at, lease_token, created_at)
      values ('sms.deliver', ${team.id}, ${id}, now() + interval '20 seconds', gen_random_uuid(), now())
    `.execute(app.db)
    const { api, runDueJobsAfter } = await restored()
    await runDueJobsAfter(hourMs)
    assert.match(JSON.stringify(await ok(api.get(`/v1/sms/${sms.id}/events`))), /it may have been handed over since/)
    const { status } = await ok(api.get(`/v1/sms/${waiting.id}`))
    const types = pluck(await ok(api.get(`/v1/sms/${waiting.id}/events`)), 'type')
    assert.deepEqual([status, types.includes('outcome_unknown')], ['accepted', true])
    await sql`delete from jobs where key in (${sms.id}, ${waiting.id})`.execute(app.db)
  },
)

slowTest(
  'readers of the feed go on after a restore on the same cluster, past what the old server told after the backup',
  async () => {
    const { api, target: _, ...another } = await restored()
    await ok(team.api.post('/v1/emails', mailOf(team, 'After the backup')))
    const { cursor } = await readAll(team.api)
    const { id } = await ok(api.post('/v1/emails', mailOf(team, 'After the restore')))
    await another.runDueJobs()
    // Transactions of other tests on the server hold the entry back.
    await until(async () => {
      const { entries } = await readAll(api, { after: cursor })
      return entries.some(({ data }) => data.emailId === id)
    })
  },
)

slowTest('a restore that is killed while it writes leaves an empty database, and the next one succeeds', async () => {
  const [file, target] = [await backUp(), await emptyDatabase()]
  const proxy = databaseProxy()
  after(() => proxy.close())
  const launcher = fileURLToPath(new URL('../../../bin/posthorn.js', import.meta.url))
  const env = { ...environment, DATABASE_URL: databaseUrl(await proxy.through(target.config)) }
  const copying = proxy.freezeAt('copy "users"')
  const child = spawn(process.execPath, [launcher, 'restore', file], {
    env,
    detached: true,
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  await copying
  // The launcher and the process that it starts.
  process.kill(-child.pid!, 'SIGKILL')
  await exited
  assert.ok(await isEmpty(target.config))
  await restore(target.environment, file)
  assert.equal(await isEmpty(target.config), false)
})
