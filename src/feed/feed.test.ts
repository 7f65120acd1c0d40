import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { ask } from '../privacy/fixtures/ask.ts'
import { readAll, readOnceThere } from './fixtures/read-all.ts'

const posthorn = await createTestApp()
const { db } = posthorn.app

const mail = ({ domain }: TestTeam, to = 'ada@example.com') => ({
  ...{ from: `a@${domain}`, to: [to], subject: 'x', text: 'x' },
  tags: { shop: '7' },
})

async function send(team: TestTeam, to?: string): Promise<string> {
  const sent = await team.api.post('/v1/emails', mail(team, to))
  assert.equal(sent.status, 200, sent.text)
  return sent.body.id
}

test('what happened to emails is listed, oldest first, with what webhooks are told', async () => {
  const team = await posthorn.team()
  const [first, second] = [await send(team), await send(team, 'bounce@people.test')]
  const entries = await readOnceThere(team.api, 4)
  assert.deepEqual(
    entries.map(({ type, data }) => [type, data.emailId]),
    [
      ['email.sent', first],
      ['email.delivered', first],
      ['email.sent', second],
      ['email.bounced', second],
    ],
  )
  const [sent] = entries
  const { body: events } = await team.api.get(`/v1/emails/${first}/events`)
  const told = events.at(-1)
  assert.deepEqual(Object.keys(sent!), ['id', 'type', 'at', 'data'])
  assert.deepEqual([sent!.type, sent!.at], ['email.sent', told.createdAt])
  assert.deepEqual(sent!.data.details, { ...told.data, tags: { shop: '7' } })
})

test('pages go on from the cursor and from the id of any entry, and the last page has a cursor too', async () => {
  const team = await posthorn.team()
  assert.deepEqual((await team.api.get('/v1/feed')).body, { data: [], cursor: null, hasMore: false })
  for (let n = 0; n < 3; n++) await send(team)
  const all = await readOnceThere(team.api, 6)
  const paged = await readAll(team.api, { query: 'limit=2' })
  assert.deepEqual(paged.entries, all)
  const again = await team.api.get(`/v1/feed?after=${paged.cursor}`)
  assert.deepEqual(again.body, { data: [], cursor: paged.cursor, hasMore: false })
  const rest = await readAll(team.api, { after: all[2]!.id })
  assert.deepEqual(rest.entries, all.slice(3))
})

test('types leave the others out, and a reader that waits for rare ones gets past the others', async () => {
  const team = await posthorn.team()
  const id = await send(team)
  await sql`
    insert into email_events (team_id, id, email_id, type, created_at)
    select ${team.id}, gen_random_uuid(), ${id}, 'opened', ${posthorn.clock.now()}::timestamptz from generate_series(1, 4500)
  `.execute(db)
  await sql`
    insert into email_events (team_id, id, email_id, type, created_at)
    values (${team.id}, gen_random_uuid(), ${id}, 'bounced', ${posthorn.clock.now()}), (${team.id}, gen_random_uuid(), ${id}, 'complained', ${posthorn.clock.now()})
  `.execute(db)
  const entries = await readOnceThere(team.api, 2, 'types=email.complained,email.bounced')
  assert.deepEqual(entries.map(({ type }) => type).sort(), ['email.bounced', 'email.complained'])
  const first = await team.api.get('/v1/feed?types=email.complained')
  assert.deepEqual([first.body.data, first.body.hasMore], [[], true])
})

slowTest('a page ends at 4 MiB', async () => {
  const team = await posthorn.team()
  const id = await send(team)
  await sql`
    insert into email_events (team_id, id, email_id, type, data, created_at)
    select ${team.id}, gen_random_uuid(), ${id}, 'opened', jsonb_build_object('userAgent', repeat('x', 1000000)), ${posthorn.clock.now()}::timestamptz
    from generate_series(1, 6)
  `.execute(db)
  const entries = await readOnceThere(team.api, 8)
  const page = await team.api.get(`/v1/feed?after=${entries[1]!.id}`)
  assert.deepEqual([page.body.data.length, page.body.hasMore, page.body.cursor], [4, true, entries[5]!.id])
})

test('a wrong after, type or limit is 400 and says what is right', async () => {
  const { api } = await posthorn.team()
  const refused = async (query: string, message: RegExp) => {
    for (const path of ['/v1/feed', '/v1/feed/stream']) {
      if (path === '/v1/feed/stream' && query.startsWith('limit')) continue
      const { status, body } = await api.get(`${path}?${query}`)
      assert.deepEqual([status, body.name], [400, 'validation_error'], `${path}?${query}`)
      assert.match(body.message, message)
    }
  }
  const after = /^after: must be an id or a cursor of the feed/
  for (const text of ['x', '01890a5d-ac96-774b-bcce-b302099a8057', '_'.repeat(32), `${'A'.repeat(31)}%20`])
    await refused(`after=${text}`, after)
  await refused('types=email.sent,sms.sent', /^types: "sms.sent" is not a type of event; .*email\.bounced/)
  await refused('limit=0', /limit/)
  await refused('limit=101', /limit/)
  const header = await api.get('/v1/feed/stream', { 'last-event-id': 'x' })
  assert.equal(header.status, 400)
  assert.match(header.body.message, /^Last-Event-ID: must be an id/)
  assert.equal((await api.get('/v1/feed/stream?signed=true&format=other')).status, 400)
})

test('keys see their own team and mode, and sending keys nothing', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const made = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  const trial = posthorn.as(made.body.key)
  const live = await send(team)
  const { body: tried } = await trial.post('/v1/emails', mail(team))
  const ids = async (entries: Promise<{ data: { emailId: string } }[]>) =>
    new Set((await entries).map(({ data }) => data.emailId))
  assert.deepEqual(await ids(readOnceThere(team.api, 1)), new Set([live]))
  assert.deepEqual(await ids(readOnceThere(trial, 1)), new Set([tried.id]))
  const person = await team.member('viewer')
  assert.deepEqual(await ids(readOnceThere(person.api, 1, 'mode=test')), new Set([tried.id]))
  const [entry] = await readOnceThere(team.api, 1)
  assert.deepEqual((await readAll(other.api, { after: entry!.id })).entries, [])
  const { api: sending } = await team.newKey()
  for (const path of ['/v1/feed', '/v1/feed/stream']) {
    assert.equal((await sending.get(path)).status, 403)
    assert.equal((await posthorn.anyone.get(path)).status, 401)
  }
})

test('system mail is left out, and so is what came before the feed', async () => {
  const team = await posthorn.team()
  const [system, old, usual] = [await send(team), await send(team), await send(team)]
  await readOnceThere(team.api, 6)
  await sql`update emails set system = true where team_id = ${team.id} and id = ${system}`.execute(db)
  await sql`update email_events set position = -1 where team_id = ${team.id} and email_id = ${old}`.execute(db)
  const { entries } = await readAll(team.api, { query: 'limit=1' })
  assert.deepEqual(new Set(entries.map(({ data }) => data.emailId)), new Set([usual]))
})

test('an erased email leaves the feed, and readers go on behind it', async () => {
  const team = await posthorn.team()
  await send(team, 'grace@example.com')
  const before = await readOnceThere(team.api, 2)
  const kept = await send(team)
  await ask(team, { type: 'erase', email: 'grace@example.com' })
  await posthorn.runDueJobs()
  await readOnceThere(team.api, 2)
  const { entries } = await readAll(team.api)
  assert.deepEqual(new Set(entries.map(({ data }) => data.emailId)), new Set([kept]))
  assert.deepEqual((await readAll(team.api, { after: before[0]!.id })).entries, entries)
})

test('entries are kept for seven days, and a reader that comes back later is told so', async () => {
  const own = await createTestApp()
  const team = await own.team()
  const sendOne = () => team.api.post('/v1/emails', mail(team))
  await sendOne()
  const old = await readOnceThere(team.api, 2)
  own.clock.advance(6 * 86_400_000)
  await sendOne()
  const all = await readOnceThere(team.api, 4)
  assert.deepEqual(all.slice(0, 2), old)
  own.clock.advance(2 * 86_400_000)
  assert.deepEqual((await readAll(team.api)).entries, all.slice(2))
  assert.deepEqual((await readAll(team.api, { after: old[1]!.id })).entries, all.slice(2))
  for (const path of ['/v1/feed', '/v1/feed/stream']) {
    const { status, body } = await team.api.get(`${path}?after=${old[0]!.id}`)
    assert.deepEqual([status, body.name], [410, 'feed_expired'], path)
  }
  own.clock.advance(30 * 86_400_000)
  const last = `/v1/feed?after=${all[3]!.id}`
  assert.deepEqual((await team.api.get(last)).body, { data: [], cursor: all[3]!.id, hasMore: false })
  assert.deepEqual((await team.api.get('/v1/feed')).body, { data: [], cursor: null, hasMore: false })
  await sendOne()
  assert.equal((await readOnceThere(team.api, 2)).length, 2)
})
