import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { verifyBilling } from '../billing/verify/verify.ts'
import { enqueueOrHurryJobs } from '../platform/jobs/enqueue.ts'
import { activeSender } from '../sms/fixtures/sender.ts'
import { removeInTeamJob } from '../teams/retention/jobs.ts'
import { newNumber, openShop, webhookSecret } from '../whatsapp/fixtures/shop.ts'
import { makeWorkflow } from '../workflows/fixtures/make.ts'
import { chainOf } from '../workflows/fixtures/workflow.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const dayMs = 24 * 3_600_000
const forEver = {
  emailBodiesDays: null,
  emailsDays: null,
  eventsDays: null,
  messagesDays: null,
  executionsDays: null,
  inboxDays: null,
}

async function keep(team: TestTeam, changes: object) {
  const owner = (await team.member('owner')).api
  const answer = await ok(owner.patch('/v1/team/retention', changes))
  return answer
}

async function send(team: TestTeam, more: object = {}): Promise<string> {
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', html: '<p>Hello</p>', ...more }
  const answer = await ok(team.api.post('/v1/emails', email))
  return answer.id
}

async function days(count: number) {
  await posthorn.runDueJobsAfter(count * dayMs)
}

const statuses = (team: TestTeam, paths: string[]) =>
  Promise.all(paths.map(async (path) => (await team.api.get(path)).status))

test('a team keeps everything for ever until an owner or an admin says otherwise; every role reads how long', async () => {
  const team = await posthorn.team()
  const [owner, admin, viewer] = (
    await Promise.all((['owner', 'admin', 'viewer'] as const).map((role) => team.member(role)))
  ).map(({ api }) => api)
  assert.deepEqual((await viewer!.get('/v1/team/retention')).body, forEver)
  assert.equal((await viewer!.patch('/v1/team/retention', { emailsDays: 30 })).status, 403)
  assert.deepEqual((await admin!.patch('/v1/team/retention', { emailsDays: 30 })).body, { ...forEver, emailsDays: 30 })
  const { body } = await owner!.patch('/v1/team/retention', { emailBodiesDays: 0, emailsDays: null })
  assert.deepEqual(body, { ...forEver, emailBodiesDays: 0 })
  assert.deepEqual((await viewer!.get('/v1/team/retention')).body, body)
  assert.equal((await team.api.get('/v1/team/retention')).status, 403)
  assert.equal((await team.api.patch('/v1/team/retention', { emailsDays: 1 })).status, 403)
})

test('a number of days is a whole one from 1 to 36,500, and 0 for bodies only', async () => {
  const owner = (await (await posthorn.team()).member('owner')).api
  for (const bad of [{ emailsDays: 0 }, { emailBodiesDays: -1 }, { inboxDays: 36_501 }, { eventsDays: 1.5 }, {}]) {
    assert.equal((await owner.patch('/v1/team/retention', bad)).status, 400, JSON.stringify(bad))
  }
  assert.equal((await owner.patch('/v1/team/retention', { emailDays: 1 })).status, 400)
  assert.equal((await owner.patch('/v1/team/retention', { emailsDays: '30' })).status, 400)
})

test('with the greatest number of days everything is kept, and bodies go as another choice says', async () => {
  const team = await posthorn.team()
  const others = {
    emailsDays: 36_500,
    eventsDays: 36_500,
    messagesDays: 36_500,
    executionsDays: 36_500,
    inboxDays: 36_500,
  }
  await keep(team, { ...others, emailBodiesDays: 1 })
  const id = await send(team)
  await days(2)
  assert.equal((await ok(team.api.get(`/v1/emails/${id}`))).html, null)
})

test('the audit log names what a choice changes, and has no entry of one that changes nothing', async () => {
  const team = await posthorn.team()
  for (const emailsDays of [30, 30, 60]) await keep(team, { emailsDays })
  const owner = (await team.member('owner')).api
  const { data } = await ok(owner.get('/v1/audit?action=retention.changed'))
  assert.deepEqual(
    data.map(({ changes }: { changes: object }) => changes),
    [{ emailsDays: { from: 30, to: 60 } }, { emailsDays: { from: null, to: 30 } }],
  )
})

test('the server’s defaults hold for teams that made no choice of their own', async () => {
  const strict = await createTestApp({ RETENTION_EMAILS_DAYS: '30', RETENTION_EMAIL_BODIES_DAYS: '0' })
  const team = await strict.team()
  const owner = (await team.member('owner')).api
  assert.deepEqual((await owner.get('/v1/team/retention')).body, { ...forEver, emailsDays: 30, emailBodiesDays: 0 })
  await owner.patch('/v1/team/retention', { emailsDays: null })
  assert.deepEqual((await owner.get('/v1/team/retention')).body, { ...forEver, emailBodiesDays: 0 })
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', html: '<p>Hello</p>' }
  const { body } = await team.api.post('/v1/emails', email)
  await strict.runDueJobsAfter(15_000)
  assert.equal((await team.api.get(`/v1/emails/${body.id}`)).body.html, null)
})

test('a team that was deleted gets no pass', async () => {
  const strict = await createTestApp({ RETENTION_EMAILS_DAYS: '30' })
  const [gone, stays] = [await strict.team(), await strict.team()]
  await sql`update teams set deleted_at = now() where id = ${gone.id} or test_of = ${gone.id}`.execute(strict.app.db)
  await strict.runDueJobs()
  const { rows } = await sql<{ key: string }>`select key from jobs where kind = ${removeInTeamJob.kind}`.execute(
    strict.app.db,
  )
  const keys = rows.map(({ key }) => key)
  assert.deepEqual([keys.includes(gone.id), keys.includes(stays.id)], [false, true])
})

test('old emails are gone with their events and tags, and totals show what is there', async () => {
  const team = await posthorn.team()
  const old = [await send(team, { tags: { kind: 'news' }, attachments: [{ filename: 'a.txt', content: 'YQ==' }] })]
  old.push(await send(team, { tags: { kind: 'news' } }))
  await days(20)
  const young = await send(team, { tags: { kind: 'news' } })
  await keep(team, { emailsDays: 30 })
  await posthorn.runDueJobs()
  assert.equal((await team.api.get('/v1/emails')).body.total, 3)
  await days(11)
  assert.deepEqual(await statuses(team, [`/v1/emails/${old[0]}`, `/v1/emails/${old[1]}/events`]), [404, 404])
  const { status } = (await team.api.get(`/v1/emails/${young}`)).body
  for (const query of ['', '?search=hello', '?tag=kind%3Anews', `?status=${status}`]) {
    const { body } = await team.api.get(`/v1/emails${query}`)
    assert.deepEqual([body.total, body.data.map(({ id }: { id: string }) => id)], [1, [young]], query)
  }
})

test('emails that are still to be sent stay, whatever their age, and their days begin when they are sent', async () => {
  const team = await posthorn.team()
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 20 * dayMs).toISOString()
  const id = await send(team, { scheduledAt })
  await keep(team, { emailsDays: 1, emailBodiesDays: 0 })
  await days(19)
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.html, '<p>Hello</p>')
  await days(1)
  await posthorn.runDueJobsAfter(3_600_000)
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'delivered')
  await days(1)
  assert.equal((await team.api.get(`/v1/emails/${id}`)).status, 404)
})

test('bodies of 0 days read as null once the email has ended, attachments are gone, and the bytes are given back', async () => {
  const team = await posthorn.team()
  await keep(team, { emailBodiesDays: 0, inboxDays: 1 })
  const text = 'x'.repeat(10_000)
  const id = await send(team, { text, attachments: [{ filename: 'a.txt', content: 'YQ==' }] })
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.text, text)
  const stored = async () => {
    await posthorn.runDueJobsAfter(6000)
    const row = posthorn.app.db.selectFrom('email_usage').select('stored_bytes').where('team_id', '=', team.id)
    return Number((await row.executeTakeFirstOrThrow()).stored_bytes)
  }
  await posthorn.runDueJobsAfter(15_000)
  const { status, body } = await team.api.get(`/v1/emails/${id}`)
  assert.deepEqual([status, body.html, body.text, body.subject], [200, null, null, 'Hello'])
  assert.equal((await team.api.get(`/v1/emails/${id}/events`)).body.length > 0, true)
  await days(2)
  assert.equal(await stored(), 0)
})

slowTest(
  'events, SMS, WhatsApp messages, executions and captured messages go when they are old, and money stays',
  async () => {
    const team = await posthorn.team()
    const email = await send(team)
    const senderId = await activeSender(team)
    const sms = await team.api.post('/v1/sms', { senderId, to: '+61491570156', body: 'Hello' })
    assert.equal(sms.status, 200, sms.text)
    const shop = await openShop(posthorn, team)
    const customer = newNumber()
    await shop.write(customer, 'Hi')
    const { body: whatsapp } = await shop.send({ to: customer, body: 'Hello' })
    const workflow = await makeWorkflow(team, chainOf([]))
    const execution = await workflow.run(posthorn)
    await keep(team, { eventsDays: 10, messagesDays: 10, executionsDays: 10, inboxDays: 10 })
    const paths = [
      `/v1/sms/${sms.body.id}`,
      `/v1/whatsapp/messages/${whatsapp.id}`,
      `${workflow.executionsPath}/${execution}`,
    ]
    await days(9)
    assert.deepEqual(await statuses(team, paths), [200, 200, 200])
    await days(2)
    assert.deepEqual(await statuses(team, paths), [404, 404, 404])
    assert.deepEqual((await team.api.get(`/v1/emails/${email}/events`)).body, [])
    for (const list of ['/v1/inbox', '/v1/inbox/sms', '/v1/inbox/whatsapp', '/v1/whatsapp/conversations', '/v1/sms']) {
      assert.deepEqual((await team.api.get(list)).body.data, [], list)
    }
    assert.equal((await verifyBilling(posthorn.app, team.id, () => undefined)).differing, 0)
    assert.equal((await team.api.get(`/v1/emails/${email}`)).status, 200)
  },
)

slowTest('the newest captured messages stay, and a thousand at most are removed in a commit', async () => {
  const team = await posthorn.team()
  await sql`
    insert into inbox_sms (team_id, id, message_id, from_sender, to_number, body, created_at)
    select ${team.id}, ('00000000-0000-7000-8000-' || lpad(to_hex(at), 12, '0'))::uuid, gen_random_uuid(), 'Shop', '+1', at, now()
    from generate_series(1, 12500) as at
  `.execute(posthorn.app.db)
  await posthorn.app.transaction((tx) => enqueueOrHurryJobs(tx, removeInTeamJob, [{ teamId: team.id, key: team.id }]))
  await posthorn.runDueJobs()
  const { rows } = await sql<{ count: number; oldest: string }>`
    select count(*)::int, min(body::int)::text as oldest from inbox_sms where team_id = ${team.id}
  `.execute(posthorn.app.db)
  assert.deepEqual(rows[0], { count: 10_000, oldest: '2501' })
})

slowTest(
  'an email with more events than a commit removes goes in several, and one that loses its lease stops',
  async () => {
    const team = await posthorn.team()
    const id = await send(team)
    await sql`
    insert into email_events (team_id, id, email_id, type, created_at)
    select ${team.id}, gen_random_uuid(), ${id}, 'opened', now() from generate_series(1, 2500)
  `.execute(posthorn.app.db)
    posthorn.clock.advance(2 * dayMs)
    await keep(team, { emailsDays: 1 })
    await sql`update jobs set lease_token = gen_random_uuid(), run_at = ${new Date(posthorn.clock.now().getTime() + 30_000)}
    where kind = ${removeInTeamJob.kind} and key = ${team.id}`.execute(posthorn.app.db)
    await posthorn.runDueJobs()
    assert.deepEqual(await statuses(team, [`/v1/emails/${id}`]), [200])
    await posthorn.runDueJobsAfter(31_000)
    assert.deepEqual(await statuses(team, [`/v1/emails/${id}`]), [404])
    const { rows } = await sql`select from email_events where team_id = ${team.id}`.execute(posthorn.app.db)
    assert.equal(rows.length, 0)
  },
)
