import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Answer, createTestApp, type TestTeam } from '../../test/app.ts'
import { readPages } from '../../test/pages.ts'
import { slowTest } from '../../test/slow.ts'
import { newNumber, openShop, webhookSecret } from '../whatsapp/fixtures/shop.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const { db } = posthorn.app
const mega = 1024 * 1024

async function ok(answer: Promise<Answer>) {
  const { status, body, text } = await answer
  assert.ok(status < 300, text)
  return body
}

/** Returns the lengths of a list's pages, and its ids in order. */
async function walk(team: TestTeam, path: string) {
  const pages = await readPages(team.api, `${path}${path.includes('?') ? '&' : '?'}limit=100`)
  const ids = pages.flatMap(({ data }) => data.map(({ id }: { id: string }) => id))
  return { pages: pages.map(({ data }) => data.length), ids }
}

async function drafts(team: TestTeam, count: number): Promise<string[]> {
  const { id: segmentId } = await ok(team.api.post('/v1/segments', { name: 'Readers' }))
  const fields = { name: 'June', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'Hello' }
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push((await ok(team.api.post('/v1/broadcasts', fields))).id)
  return ids
}

slowTest('a page of broadcasts ends at 4 MiB of bodies, and the cursor leads to the rest', async () => {
  const team = await posthorn.team()
  const ids = await drafts(team, 9)
  await sql`
    update broadcasts set html = repeat('x', 600000), text = repeat('y', 400000) where team_id = ${team.id}
  `.execute(db)
  assert.deepEqual(await walk(team, '/v1/broadcasts'), { pages: [4, 4, 1], ids: ids.toReversed() })
})

slowTest('a row that is larger than a page is returned alone, with all its fields', async () => {
  const team = await posthorn.team()
  const ids = await drafts(team, 3)
  await sql`
    update broadcasts set html = repeat('x', 5 * ${sql.lit(mega)}) where team_id = ${team.id} and id = ${ids[1]}
  `.execute(db)
  assert.deepEqual(await walk(team, '/v1/broadcasts'), { pages: [1, 1, 1], ids: ids.toReversed() })
  const [, large] = [
    await ok(team.api.get('/v1/broadcasts?limit=1')),
    await ok(team.api.get(`/v1/broadcasts/${ids[1]}`)),
  ]
  assert.equal(large.html.length, 5 * mega)
})

slowTest('a page of workflows ends at 4 MiB of graphs', async () => {
  const team = await posthorn.team()
  const ids: string[] = []
  for (let index = 0; index < 6; index++) ids.push((await ok(team.api.post('/v1/workflows', { name: 'Large' }))).id)
  await sql`
    update workflow_graphs set nodes = jsonb_build_array(jsonb_build_object('id', 'a', 'type', 'code', 'name', 'Code',
      'config', jsonb_build_object('source', repeat('x', 1000000)), 'position', '{"x":0,"y":0}'::jsonb))
    where team_id = ${team.id}
  `.execute(db)
  assert.deepEqual(await walk(team, '/v1/workflows'), { pages: [4, 2], ids: ids.toReversed() })
})

slowTest('a page of WhatsApp messages, and a conversation, end at 4 MiB of texts', async () => {
  const shop = await openShop(posthorn)
  const [number, other] = [newNumber(), newNumber()]
  for (let index = 0; index < 6; index++) await shop.write(number, `Hello ${index}`)
  await shop.write(other, 'Hello')
  await sql`
    update whatsapp_messages set variables = array[repeat('x', 1000000)] where team_id = ${shop.team.id}
  `.execute(db)
  const { pages, ids } = await walk(shop.team, '/v1/whatsapp/messages')
  assert.deepEqual([pages, new Set(ids).size], [[4, 3], 7])
  const { data } = await ok(shop.api.get('/v1/whatsapp/conversations'))
  const { id } = data.find(({ phoneNumber }: { phoneNumber: string }) => phoneNumber === number)
  const { messages } = await ok(shop.api.get(`/v1/whatsapp/conversations/${id}`))
  const bodies = messages.map(({ body }: { body: string }) => body)
  assert.deepEqual(bodies, ['Hello 2', 'Hello 3', 'Hello 4', 'Hello 5'], 'the newest, oldest first')
})

slowTest('a page of contacts ends at 4 MiB of properties and segment names', async () => {
  const team = await posthorn.team()
  const contacts = Array.from({ length: 90 }, (_, index) => ({ email: `a${index}@people.test` }))
  await ok(team.api.post('/v1/contacts/import', { contacts }))
  await sql`
    update contacts set properties = jsonb_build_object('a', repeat('x', 60000)) where team_id = ${team.id}
  `.execute(db)
  for (const path of ['/v1/contacts', '/v1/contacts?search=people']) {
    assert.deepEqual((await walk(team, path)).pages, [69, 21], path)
  }
  await sql`update contacts set properties = '{}' where team_id = ${team.id}`.execute(db)
  await sql`
    with named as (
      insert into segments (team_id, id, name, created_at)
      select ${team.id}, gen_random_uuid(), repeat('x', 200), now() from generate_series(1, 1200) returning id
    )
    insert into segment_contacts (team_id, segment_id, contact_id, added_at)
    select ${team.id}, named.id, contact.id, now()
    from named, (select id from contacts where team_id = ${team.id} order by id desc limit 20) as contact
  `.execute(db)
  const { data, hasMore } = await ok(team.api.get('/v1/contacts?limit=100'))
  assert.deepEqual([data.length, hasMore, data[0].segments.length], [16, true, 1000])
})

test('the newest events of an email are shown, up to 4 MiB', async () => {
  const team = await posthorn.team()
  const mail = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Hello', text: 'Hello' }
  const { id } = await ok(team.api.post('/v1/emails', mail))
  await sql`
    insert into email_events (team_id, id, email_id, type, data, created_at)
    select ${team.id}, gen_random_uuid(), ${id}, 'opened', jsonb_build_object('userAgent', repeat('x', 1000000)), now()
    from generate_series(1, 6)
  `.execute(db)
  assert.equal((await ok(team.api.get(`/v1/emails/${id}/events`))).length, 4)
})
