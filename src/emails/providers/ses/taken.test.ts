import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import nodemailer from 'nodemailer'
import { ok } from '../../../../test/app.ts'
import { bounce, startShop, timestamp } from './fixtures/shop.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-ses-'))
after(() => rmSync(dataDir, { recursive: true }))
const { amazon, posthorn, team, lastTags, tell, stateOf } = await startShop({
  ...{ SMTP_PORT: '0', SMTPS_PORT: '0', DATA_DIR: dataDir },
})
const usual = amazon.answer
const reports: [string, (to: string[]) => object, told: { status: string; types: string[] }][] = [
  ['Send', () => ({ send: {} }), { status: 'sent', types: [] }],
  ['Open', () => ({ open: { timestamp } }), { status: 'sent', types: ['opened'] }],
  ['Bounce', (to) => ({ bounce: bounce('Transient', [to[0]!]) }), { status: 'sent', types: ['bounced'] }],
  [
    'DeliveryDelay',
    (to) => ({ deliveryDelay: { timestamp, delayedRecipients: [{ emailAddress: to[0] }] } }),
    { status: 'delayed', types: ['delivery_delayed'] },
  ],
  ['Delivery', (recipients) => ({ delivery: { recipients } }), { status: 'delivered', types: ['delivered'] }],
]
let sends = 0

function emailFrom(domain: string, count = 2) {
  const number = ++sends
  const to = Array.from({ length: count }, (_, at) => `n${at}.${number}@b.test`)
  return { from: `ada@${domain}`, to, subject: 'x', text: 'y' }
}

/** An email that stays under way is never removed by its age. */
async function isUnderWay(id: string): Promise<boolean> {
  const email = await posthorn.app.db.selectFrom('emails').select('dispatching').where('id', '=', id).executeTakeFirst()
  return email!.dispatching
}

const mailOfLast = (to: string[]) => ({ messageId: `taken-${sends}`, destination: to, tags: lastTags() })

for (const [eventType, detailOf, told] of reports) {
  test(`an email whose answer was lost is not handed over again after the event ${eventType}`, async () => {
    const email = emailFrom('mail.test')
    amazon.answer = (request) => void request.socket.destroy()
    const { id } = await ok(team.api.post('/v1/emails', email))
    amazon.answer = usual
    const asked = amazon.sent.length
    await tell({ eventType, mail: mailOfLast(email.to), ...detailOf(email.to) })
    await posthorn.runDueJobsAfter(60_000)
    assert.equal(amazon.sent.length, asked)
    const { status, types } = await stateOf({ id, to: email.to })
    assert.deepEqual([status, types], [told.status, [...told.types, 'outcome_unknown'].sort()])
    assert.equal(await isUnderWay(id), false)
  })

  test(`an email whose process died after the event ${eventType} gets its sent event, and is not handed over again`, async () => {
    const other = await posthorn.another()
    const email = emailFrom('mail.test')
    amazon.answer = async (request, response) => {
      await tell({ eventType, mail: mailOfLast(email.to), ...detailOf(email.to) })
      assert.equal((await cancelNewest()).status, 409)
      // The first process is as good as dead once its lease is over.
      posthorn.clock.advance(posthorn.app.jobs.leaseMs)
      await other.app.jobs.runDue()
      usual(request, response)
    }
    const asked = amazon.sent.length
    const { id } = await ok(team.api.post('/v1/emails', email))
    amazon.answer = usual
    await posthorn.runDueJobsAfter(60_000)
    assert.equal(amazon.sent.length, asked + 1)
    const { status, types } = await stateOf({ id, to: email.to })
    assert.deepEqual([status, types], [told.status, told.types])
    const events = await ok(team.api.get(`/v1/emails/${id}/events`))
    const sent = events.filter(({ type }: { type: string }) => type === 'sent')
    assert.deepEqual([sent.length, sent[0].data.mail.destination], [1, email.to])
    assert.equal(await isUnderWay(id), false)
  })
}

/** Until the returned function is called, jobs that are done stay, as if a process died before it removed them. */
async function keepDoneJobs(): Promise<() => Promise<unknown>> {
  const { db } = posthorn.app
  await sql`create function keep_job() returns trigger language plpgsql as 'begin return null; end'`.execute(db)
  await sql`create trigger keep_job before delete on jobs for each row execute function keep_job()`.execute(db)
  return () => sql`drop trigger keep_job on jobs`.execute(db)
}

test('an email that two processes find reported, as the first dies once it has recorded that, gets one sent event', async () => {
  const other = await posthorn.another()
  const email = emailFrom('mail.test')
  amazon.answer = async (request, response) => {
    await tell({ eventType: 'Delivery', mail: mailOfLast(email.to), delivery: { recipients: email.to } })
    const removeAgain = await keepDoneJobs()
    posthorn.clock.advance(posthorn.app.jobs.leaseMs)
    await other.app.jobs.runDue()
    await removeAgain()
    posthorn.clock.advance(posthorn.app.jobs.leaseMs)
    await other.app.jobs.runDue()
    usual(request, response)
  }
  const { id } = await ok(team.api.post('/v1/emails', email))
  amazon.answer = usual
  const { types } = await stateOf({ id, to: email.to })
  assert.deepEqual(types, ['delivered'])
  const events = await ok(team.api.get(`/v1/emails/${id}/events`))
  assert.equal(events.filter(({ type }: { type: string }) => type === 'sent').length, 1)
  const { jobs } = await posthorn.app.db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<string>().as('jobs'))
    .where('key', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(jobs, '0')
})

async function cancelNewest() {
  const { data } = await ok(team.api.get('/v1/emails?limit=1'))
  return team.api.post(`/v1/emails/${data[0].id}/cancel`)
}

test('an email that Amazon reports to have sent although it answered that it is out of reach is not handed over again', async () => {
  const email = emailFrom('mail.test')
  amazon.answer = (_request, response) => void response.writeHead(503).end('{}')
  const { id, status } = await ok(team.api.post('/v1/emails', email))
  amazon.answer = usual
  assert.equal(status, 'delayed')
  const asked = amazon.sent.length
  await tell({ eventType: 'Send', mail: mailOfLast(email.to), send: {} })
  await posthorn.runDueJobsAfter(10_000)
  assert.equal(amazon.sent.length, asked)
  const events = await ok(team.api.get(`/v1/emails/${id}/events`))
  assert.ok(events.some(({ type }: { type: string }) => type === 'sent'))
})

test('an event about the first recipients of a long email says nothing about those of the calls after it', async () => {
  const { smtps } = await posthorn.openDoors()
  const other = await posthorn.another()
  const { from, to } = emailFrom('mail.test', 60)
  const before = amazon.sent.length
  amazon.answer = async (request, response) => {
    const call = amazon.sent.length - before
    if (call === 1)
      await tell({
        eventType: 'Delivery',
        mail: mailOfLast(to.slice(0, 50)),
        delivery: { recipients: to.slice(0, 50) },
      })
    if (call === 2) {
      posthorn.clock.advance(posthorn.app.jobs.leaseMs)
      await other.app.jobs.runDue()
    }
    usual(request, response)
  }
  const auth = { user: team.key, pass: team.key }
  const transport = nodemailer.createTransport({ port: smtps!, secure: true, auth, tls: { rejectUnauthorized: false } })
  await transport.sendMail({ envelope: { from, to }, raw: `From: ${from}\r\nTo: a@b.test\r\nSubject: x\r\n\r\ny\r\n` })
  transport.close()
  amazon.answer = usual
  const calls = amazon.sent.slice(before).map(({ Destination }) => Destination.ToAddresses.length)
  assert.deepEqual(calls, [50, 10, 50, 10])
})
