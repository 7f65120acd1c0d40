import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { finishRecording } from '../../emails/tracking/hits/record.ts'
import { createAudience, readers } from '../fixtures/audience.ts'

const posthorn = await createTestApp()

async function openBroadcast() {
  const team = await posthorn.team()
  const contacts = [
    { email: 'ada@people.test', firstName: 'Ada' },
    { email: 'bounce@people.test' },
    { email: 'gone@people.test', unsubscribed: true },
    { email: 'blocked@people.test' },
  ]
  const { segmentId, contactIds } = await createAudience(posthorn, team, contacts)
  await team.api.post('/v1/suppressions', { email: 'blocked@people.test' })
  await team.api.patch(`/v1/domains/${team.domainId}`, { openTracking: true, clickTracking: true })
  const content = { subject: 'News for {{firstName}}', html: '<a href="https://shop.test/sale">Hi {{firstName}}</a>' }
  const fields = { name: 'News', from: `a@${team.domain}`, segmentId, ...content }
  const { body } = await team.api.post('/v1/broadcasts', fields)
  return { team, contactIds, id: body.id as string, path: `/v1/broadcasts/${body.id}` }
}

test('the audience says who would get a broadcast, and why others would not', async () => {
  const { team, path } = await openBroadcast()
  const { body } = await team.api.get(`${path}/audience`)
  assert.deepEqual(body, { total: 4, recipients: 2, skipped: { unsubscribed: 1, suppressed: 1, notOptedIn: 0 } })
  const { body: topic } = await team.api.post('/v1/topics', { name: 'News' })
  await team.api.patch(path, { topicId: topic.id })
  const { body: ofTopic } = await team.api.get(`${path}/audience`)
  assert.deepEqual(ofTopic, { total: 4, recipients: 0, skipped: { unsubscribed: 1, suppressed: 1, notOptedIn: 2 } })
})

slowTest('the audience counts erased people who were added again as suppressed, as sending skips them', async () => {
  const team = await posthorn.team()
  const { segmentId } = await createAudience(posthorn, team, [{ email: 'bob@people.test' }])
  const owner = await team.member('owner')
  for (const email of ['ada@people.test', 'Eve@people.test'])
    await ok(owner.api.post('/v1/privacy/requests', { type: 'erase', email }))
  await posthorn.runDueJobs()
  const { id: ada } = await ok(team.api.post('/v1/contacts', { email: 'Ada@people.test' }))
  await ok(team.api.post(`/v1/segments/${segmentId}/contacts`, { contactIds: [ada] }))
  await ok(team.api.post('/v1/contacts/import', { contacts: [{ email: 'eve@people.test' }], segmentId }))
  const draft = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'x' }
  const { id } = await ok(team.api.post('/v1/broadcasts', draft), 201)
  const { recipients, skipped } = await ok(team.api.get(`/v1/broadcasts/${id}/audience`))
  assert.deepEqual([recipients, skipped.suppressed], [1, 2])
  await ok(team.api.post(`/v1/broadcasts/${id}/send`))
  await posthorn.runDueJobs()
  const { sent, skipped: skippedThen } = await ok(team.api.get(`/v1/broadcasts/${id}/stats`))
  assert.deepEqual([sent, skippedThen.suppressed], [1, 2])
})

slowTest(
  'the audience counts erased people as suppressed who were added before Posthorn noted it, however many there are',
  async () => {
    const team = await posthorn.team()
    const owner = await team.member('owner')
    await ok(owner.api.post('/v1/privacy/requests', { type: 'erase', email: 'old@people.test' }))
    await posthorn.runDueJobs()
    const contacts = [...readers(2100), { email: 'Old@people.test' }, ...readers(100)]
    const { segmentId } = await createAudience(posthorn, team, contacts)
    const draft = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'x' }
    const { id } = await ok(team.api.post('/v1/broadcasts', draft), 201)
    const shown = async () => {
      const { recipients, skipped } = await ok(team.api.get(`/v1/broadcasts/${id}/audience`))
      return [recipients, skipped.suppressed]
    }
    const migration = new URL('../../../migrations/0096_contacts_of_erased.sql', import.meta.url)
    await sql.raw(readFileSync(migration, 'utf8')).execute(posthorn.app.db)
    await posthorn.runDueJobs()
    assert.deepEqual(await shown(), [2200, 1])
    const { data } = await ok(team.api.get('/v1/suppressions'))
    await ok(team.api.delete(`/v1/suppressions/${data[0].id}`))
    assert.deepEqual(await shown(), [2201, 0], 'once the entry is deleted')
  },
)

test('the audience counts a person as suppressed from the request of an erasure on', async () => {
  const team = await posthorn.team()
  const { segmentId } = await createAudience(posthorn, team, [
    { email: 'Ada@people.test' },
    { email: 'bob@people.test' },
  ])
  const draft = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'x' }
  const { id } = await ok(team.api.post('/v1/broadcasts', draft), 201)
  const owner = await team.member('owner')
  await ok(owner.api.post('/v1/privacy/requests', { type: 'erase', email: 'ada@people.test' }))
  const { recipients, skipped } = await ok(team.api.get(`/v1/broadcasts/${id}/audience`))
  assert.deepEqual([recipients, skipped.suppressed], [1, 1])
})

test('recipients are listed with what became of them, and by it', async () => {
  const { team, path } = await openBroadcast()
  assert.deepEqual((await team.api.get(`${path}/recipients`)).body.data, [])
  await team.api.post(`${path}/send`)
  await posthorn.runDueJobs()
  const read = async (query = '') => {
    const { status, text, body } = await team.api.get(`${path}/recipients${query}`)
    assert.equal(status, 200, text)
    return body.data.map(({ email, status }: Record<string, string>) => `${email} ${status}`)
  }
  const all = ['blocked@people.test suppressed', 'gone@people.test unsubscribed', 'bounce@people.test bounced']
  assert.deepEqual(await read(), [...all, 'ada@people.test delivered'])
  assert.deepEqual(await read('?status=sent'), ['bounce@people.test bounced', 'ada@people.test delivered'])
  assert.deepEqual(await read('?status=suppressed'), ['blocked@people.test suppressed'])
  assert.deepEqual(await read('?status=clicked'), [])
  const { body: page } = await team.api.get(`${path}/recipients?limit=3`)
  const { body: rest } = await team.api.get(`${path}/recipients?limit=3&cursor=${page.cursor}`)
  assert.deepEqual([page.data.length, rest.data.length, rest.cursor], [3, 1, null])
  assert.equal((await team.api.get(`${path}/recipients?status=lost`)).status, 400)
})

test('clicked links are listed with their clicks and recipients', async () => {
  const { team, path } = await openBroadcast()
  await team.api.post(`${path}/send`)
  await posthorn.runDueJobs()
  const captured = (await team.api.get('/v1/inbox?search=ada@')).body.data[0]
  const { html } = (await team.api.get(`/v1/inbox/${captured.id}`)).body
  const link = new URL(/href="([^"]+\/t\/c\/[^"]+)"/.exec(html)![1]!)
  posthorn.clock.advance(3_600_000)
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36' }
  for (let count = 0; count < 2; count++) {
    assert.equal((await posthorn.anyone.get(link.pathname, agent)).status, 302)
    posthorn.clock.advance(60_000)
  }
  await finishRecording(posthorn.app)
  const { body } = await team.api.get(`${path}/links`)
  assert.deepEqual(body, {
    data: [{ url: 'https://shop.test/sale', clicks: 2, recipients: 1 }],
    cursor: null,
    hasMore: false,
  })
})

test('the pages of links have each link once, though people click between two pages', async () => {
  const { team, path } = await openBroadcast()
  await team.api.post(`${path}/send`)
  await posthorn.runDueJobs()
  const click = (url: string, times: number) =>
    sql`
      with clicked as (
        update broadcast_recipients set clicked = true where team_id = ${team.id} and email_id is not null returning email_id
      )
      insert into email_events (team_id, id, email_id, type, created_at, data)
      select ${team.id}, gen_random_uuid(), (select min(email_id::text)::uuid from clicked), 'clicked', now(),
        json_build_object('click', json_build_object('link', ${url}::text))
      from generate_series(1, ${times}::int)
    `.execute(posthorn.app.db)
  await click('https://shop.test/a', 5)
  await click('https://shop.test/b', 4)
  await click('https://shop.test/c', 4)
  const read = async (cursor?: string) =>
    (await team.api.get(`${path}/links?limit=1${cursor ? `&cursor=${cursor}` : ''}`)).body
  const first = await read()
  await click('https://shop.test/a', 3)
  const second = await read(first.cursor)
  const third = await read(second.cursor)
  assert.deepEqual(
    [first, second, third].map(({ data }) => data[0].url.at(-1)),
    ['a', 'b', 'c'],
  )
  assert.equal(third.hasMore, false)
  await sql`delete from email_events where team_id = ${team.id} and type = 'clicked'`.execute(posthorn.app.db)
  assert.deepEqual(await read(second.cursor), { data: [], cursor: null, hasMore: false })
})

test('a test of a broadcast goes to the addresses given, untracked, in no figure and with a harmless link', async () => {
  const { team, path, contactIds } = await openBroadcast()
  const { status, text, body } = await team.api.post(`${path}/test`, {
    ...{ to: ['me@people.test', 'you@people.test'], contactId: contactIds[0] },
  })
  assert.equal(status, 200, text)
  assert.equal(body.emailIds.length, 2)
  const { body: inbox } = await team.api.get('/v1/inbox')
  assert.deepEqual(
    inbox.data.map(({ to, subject }: { to: string[]; subject: string }) => [to[0], subject]),
    [
      ['you@people.test', 'News for Ada'],
      ['me@people.test', 'News for Ada'],
    ],
  )
  const { html } = (await team.api.get(`/v1/inbox/${inbox.data[0].id}`)).body
  assert.match(html, /href="https:\/\/shop\.test\/sale">Hi Ada<.*\/unsubscribe\?token=\*\*\*/s)
  assert.doesNotMatch(html, /\/t\/[co]\//)
  assert.equal((await team.api.get('/v1/metrics/emails')).body.total.accepted, 0)
  assert.equal((await team.api.get(`${path}/stats`)).body.total, 0)
  assert.equal((await team.api.get(path)).body.status, 'draft')
})

test('a test to a suppressed address sends nothing, and too many addresses or an unknown contact are 400', async () => {
  const { team, path } = await openBroadcast()
  const answer = await team.api.post(`${path}/test`, { to: ['me@people.test', 'blocked@people.test'] })
  assert.deepEqual([answer.status, answer.body.name], [422, 'recipient_suppressed'])
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
  assert.equal((await team.api.post(`${path}/test`, { to: Array(6).fill('me@people.test') })).status, 400)
  assert.equal((await team.api.post(`${path}/test`, { to: ['nobody'] })).status, 400)
  const unknown = { to: ['me@people.test'], contactId: '01890a5d-ac96-774b-bcce-b302099a8057' }
  assert.equal((await team.api.post(`${path}/test`, unknown)).status, 400)
})
