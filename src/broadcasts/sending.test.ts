import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { until } from '../../test/patience.ts'
import { pluck } from '../../test/pluck.ts'
import { slowTest } from '../../test/slow.ts'
import { createAudience, createTopic, readers, runFor } from './fixtures/audience.ts'

const posthorn = await createTestApp()

async function send(team: TestTeam, segmentId: string, fields: Record<string, unknown> = {}): Promise<string> {
  const from = `Shop <news@${team.domain}>`
  const made = await ok(
    team.api.post('/v1/broadcasts', { name: 'News', from, segmentId, subject: 'News', ...fields }),
    201,
  )
  await ok(team.api.post(`/v1/broadcasts/${made.id}/send`))
  return made.id
}

const stats = async (team: TestTeam, id: string) => (await team.api.get(`/v1/broadcasts/${id}/stats`)).body
const statusOf = async (team: TestTeam, id: string) => (await team.api.get(`/v1/broadcasts/${id}`)).body.status

test('every contact of the segment gets an email, which reads back like any other email', async () => {
  const team = await posthorn.team()
  const { segmentId, tokens } = await createAudience(posthorn, team, [
    {
      email: 'ada@people.test',
      firstName: 'Ada',
      lastName: 'Lovelace',
      properties: { plan: 'pro', city: { name: 'Bath' } },
    },
    { email: 'bob@people.test' },
  ])
  const id = await send(team, segmentId, {
    subject: 'Hi {{firstName}}{{ properties.unknown }}',
    html: '<p>{{firstName}} {{lastName}} <b>{{properties.plan}}</b> {{properties.city.name}} {{email}}</p>',
    replyTo: 'Help <help@elsewhere.test>',
  })
  assert.equal(await statusOf(team, id), 'queued')
  await posthorn.runDueJobs()
  const broadcast = (await team.api.get(`/v1/broadcasts/${id}`)).body
  assert.deepEqual([broadcast.status, broadcast.sentAt], ['sent', posthorn.clock.now().toISOString()])
  const listed = (await team.api.get('/v1/emails')).body
  assert.deepEqual(listed.data.map((email: { to: string[] }) => email.to[0]).sort(), [
    'ada@people.test',
    'bob@people.test',
  ])
  const ada = listed.data.find((email: { to: string[] }) => email.to[0] === 'ada@people.test')
  assert.deepEqual([ada.subject, ada.status], ['Hi Ada', 'delivered'])
  const read = (await team.api.get(`/v1/emails/${ada.id}`)).body
  const { data } = (await team.api.get('/v1/inbox?search=ada@people.test')).body
  const inbox = (await team.api.get(`/v1/inbox/${data[0].id}`)).body
  const masked = ({ html, text }: { html: string; text: string }) =>
    [html, text.trim()].map((body) => body.replaceAll(tokens[0]!, '***'))
  assert.deepEqual(masked(inbox), masked(read))
  const url = `http://localhost:3000/unsubscribe?token=${tokens[0]}`
  assert.match(read.html, /^<p>Ada Lovelace <b>pro<\/b> Bath ada@people.test<\/p>/)
  assert.ok(inbox.html.includes(`href="${url}"`), inbox.html)
  assert.match(read.text, /^Ada Lovelace pro Bath ada@people.test\n/)
  assert.ok(inbox.text.includes(url), inbox.text)
  const raw = (await team.api.get(`/v1/inbox/${data[0].id}`, { accept: 'message/rfc822' })).text.replaceAll(
    '\r\n ',
    ' ',
  )
  assert.ok(raw.includes(`List-Unsubscribe: <${url}>`), raw)
  assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  assert.match(raw, /^Reply-To: Help <help@elsewhere.test>\r$/m)
  assert.match(/^DKIM-Signature: .*/im.exec(raw)![0], /h=[^;]*list-unsubscribe[^;]*list-unsubscribe-post/i)
  assert.deepEqual(await stats(team, id), {
    total: 2,
    sent: 2,
    delivered: 2,
    opened: 0,
    clicked: 0,
    bounced: 0,
    complained: 0,
    skipped: { unsubscribed: 0, suppressed: 0, notOptedIn: 0 },
  })
})

test('an email of a broadcast is sent with the unsubscribe token of its contact, and no API key can read the token', async () => {
  const team = await posthorn.team()
  const { segmentId, tokens } = await createAudience(posthorn, team, [{ email: 'ada@people.test' }])
  const body = 'Stop: {{unsubscribeUrl}}'
  await send(team, segmentId, { html: `<p>${body}</p>`, text: body })
  await posthorn.runDueJobs()
  const [email] = (await team.api.get('/v1/emails')).body.data
  const { html, text } = (await team.api.get(`/v1/emails/${email.id}`)).body
  const stop = 'Stop: http://localhost:3000/unsubscribe?token='
  assert.deepEqual([html, text], [`<p>${stop}***</p>`, `${stop}***`])
  const [sent] = (await team.api.get('/v1/inbox')).body.data
  assert.equal((await team.api.get(`/v1/inbox/${sent.id}`)).body.text.trim(), `${stop}${tokens[0]}`)
})

test('unsubscribed, suppressed and not opted-in contacts get no email and are counted as skipped', async () => {
  const team = await posthorn.team()
  const { segmentId, contactIds } = await createAudience(posthorn, team, [
    { email: 'yes@people.test' },
    { email: 'left@people.test', unsubscribed: true },
    { email: 'Blocked@People.test' },
    { email: 'out@people.test' },
    { email: 'never@people.test' },
  ])
  const [yes, left, blocked, out] = contactIds as [string, string, string, string]
  await team.api.post('/v1/suppressions', { email: 'blocked@people.test' })
  const topicId = await createTopic(posthorn, team, [yes, left, blocked], [out])
  const id = await send(team, segmentId, { topicId, text: 'x' })
  await posthorn.runDueJobs()
  assert.deepEqual(await stats(team, id), {
    total: 5,
    sent: 1,
    delivered: 1,
    opened: 0,
    clicked: 0,
    bounced: 0,
    complained: 0,
    skipped: { unsubscribed: 1, suppressed: 1, notOptedIn: 2 },
  })
  const { data } = (await team.api.get('/v1/emails')).body
  assert.deepEqual(pluck(data, 'to'), [['yes@people.test']])
})

test('bounces, complaints, opens and clicks are counted once for each recipient, without those by machines', async () => {
  const team = await posthorn.team()
  await team.api.patch(`/v1/domains/${team.domainId}`, { openTracking: true, clickTracking: true })
  const { segmentId } = await createAudience(posthorn, team, [
    { email: 'reads@people.test' },
    { email: 'scanned@people.test' },
    { email: 'bounce1@people.test' },
    { email: 'softbounce1@people.test' },
    { email: 'complaint1@people.test' },
  ])
  const id = await send(team, segmentId, { html: '<a href="https://shop.test/sale">Sale</a>' })
  await posthorn.runDueJobs()
  posthorn.clock.advance(60_000)
  const links = async (to: string) => {
    const { data } = (await team.api.get(`/v1/inbox?search=${to}`)).body
    const { html } = (await team.api.get(`/v1/inbox/${data[0].id}`)).body
    return [/\/t\/o\/[\w.~-]+/.exec(html)![0], /\/t\/c\/[\w.~-]+/.exec(html)![0]]
  }
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' }
  for (const link of [...(await links('reads@')), ...(await links('reads@'))]) await posthorn.anyone.get(link, browser)
  for (const link of await links('scanned@')) await posthorn.anyone.get(link, { 'user-agent': 'curl/8' })
  await until(async () => (await stats(team, id)).clicked > 0)
  assert.deepEqual(await stats(team, id), {
    total: 5,
    sent: 5,
    delivered: 3,
    opened: 1,
    clicked: 1,
    bounced: 1,
    complained: 1,
    skipped: { unsubscribed: 0, suppressed: 0, notOptedIn: 0 },
  })
})

test('at the daily limit a broadcast waits for midnight or for a higher limit', async () => {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 3 } })
  const { segmentId } = await createAudience(posthorn, team, readers(8))
  const id = await send(team, segmentId, { text: 'x' })
  await runFor(posthorn, 5)
  assert.deepEqual([(await stats(team, id)).sent, await statusOf(team, id)], [3, 'sending'])
  const { usage } = (await team.api.get('/v1/rate-limits')).body
  assert.equal(usage.emailsSentToday, 3)
  posthorn.clock.set(new Date(Math.ceil(posthorn.clock.now().getTime() / 86_400_000) * 86_400_000))
  await runFor(posthorn, 1)
  assert.equal((await stats(team, id)).sent, 6)
  const { setTeamLimits } = await import('../teams/set-plan.ts')
  await posthorn.app.transaction((tx) => setTeamLimits(tx, team.id, { dailyEmailLimit: 100 }))
  await posthorn.runDueJobs()
  assert.deepEqual([(await stats(team, id)).sent, await statusOf(team, id)], [8, 'sent'])
})

test('a broadcast is sent at the rate of the plan', async () => {
  const team = await posthorn.team({ limits: { emailsPerSecond: 2, batchSize: 5 } })
  const { segmentId } = await createAudience(posthorn, team, readers(12))
  const id = await send(team, segmentId, { text: 'x' })
  await posthorn.runDueJobs()
  assert.equal((await stats(team, id)).sent, 5)
  for (let second = 1; second <= 2; second++) {
    await posthorn.runDueJobsAfter(1000)
  }
  assert.ok((await stats(team, id)).sent <= 9)
  await runFor(posthorn, 1)
  assert.deepEqual([(await stats(team, id)).sent, await statusOf(team, id)], [12, 'sent'])
})

test('a scheduled broadcast is sent once, at its time or as soon as a process runs', async () => {
  const team = await posthorn.team()
  const { segmentId } = await createAudience(posthorn, team, readers(2))
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 3_600_000).toISOString()
  const id = await send(team, segmentId, { scheduledAt, text: 'x' })
  assert.equal(await statusOf(team, id), 'scheduled')
  await posthorn.runDueJobs()
  assert.equal(await statusOf(team, id), 'scheduled')
  posthorn.clock.advance(5 * 3_600_000)
  await runFor(posthorn, 1)
  assert.deepEqual([await statusOf(team, id), (await team.api.get('/v1/emails')).body.total], ['sent', 2])
})

test('a contact that is deleted before its email is made is counted, and the others get their emails', async () => {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 1 } })
  const { segmentId, contactIds } = await createAudience(posthorn, team, readers(3))
  const id = await send(team, segmentId, { text: 'x' })
  await posthorn.runDueJobs()
  const { sql } = await import('kysely')
  await sql`delete from contacts where team_id = ${team.id} and id = ${contactIds[1]}`.execute(posthorn.app.db)
  posthorn.clock.advance(86_400_000)
  await runFor(posthorn, 1)
  const { total, sent, skipped } = await stats(team, id)
  assert.deepEqual([total, sent, skipped.unsubscribed, await statusOf(team, id)], [3, 2, 1, 'sent'])
})

slowTest(
  'a page of recipients that takes too long is halved, and the size is kept for the pages after it',
  async () => {
    const team = await posthorn.team()
    const { db } = posthorn.app
    const { segmentId } = await createAudience(posthorn, team, readers(700))
    await sql`create sequence pages_cancelled`.execute(db)
    await sql`
    create function cancel_large_pages() returns trigger language plpgsql as $$ begin
      if (select count(*) > 200 from added) then
        perform nextval('pages_cancelled');
        raise exception using errcode = '57014', message = 'canceling statement due to statement timeout';
      end if;
      return null;
    end $$
  `.execute(db)
    await sql`
    create trigger cancel_large_pages after insert on broadcast_recipients
    referencing new table as added for each statement execute function cancel_large_pages()
  `.execute(db)
    const id = await send(team, segmentId)
    await runFor(posthorn, 5)
    await sql`drop trigger cancel_large_pages on broadcast_recipients`.execute(db)
    assert.equal(await statusOf(team, id), 'sent')
    assert.equal((await stats(team, id)).total, 700)
    // 20,000 to 10,000, 5000, 2500, 1250, 625, 313 and 157.
    assert.equal(
      (await sql<{ last: string }>`select last_value as last from pages_cancelled`.execute(db)).rows[0]!.last,
      '7',
    )
  },
)
