import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../test/app.ts'
import { activeSender } from './fixtures/sender.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()
const [shop, other] = [await activeSender(team), await activeSender(team, { senderId: 'Other' })]

const ids: string[] = []
for (const [to, body, senderId] of [
  ['+61400000000', 'Your order has shipped', shop],
  ['+61400000001', 'Your order failed', shop],
  ['+12025550123', '100% off_', other],
  ['+61400000003', 'ÄPFEL sind da', shop],
]) {
  ids.unshift((await team.api.post('/v1/sms', { to, body, senderId })).body.id)
}

async function listed(query: string): Promise<number[]> {
  const answer = await ok(team.api.get(`/v1/sms?${query}`))
  return answer.data.map(({ id }: { id: string }) => ids.indexOf(id))
}

test('the list is newest first, and shows each message as its single form does', async () => {
  assert.deepEqual(await listed(''), [0, 1, 2, 3])
  const [first] = (await team.api.get('/v1/sms')).body.data
  assert.deepEqual(first, (await team.api.get(`/v1/sms/${first.id}`)).body)
})

const searches: [query: string, found: number[]][] = [
  ['status=delivered', [1, 3]],
  ['status=failed', [2]],
  [`senderId=${other}`, [1]],
  [`senderId=${shop}&status=sent`, [0]],
  ['search=YOUR%20order', [2, 3]],
  ['search=%2B1202', [1]],
  ['search=0000', [0, 2, 3]],
  ['search=100%25', [1]],
  ['search=_', [1]],
  ['search=%25', [1]],
  ['search=äpfel', [0]],
  ['search=nothing', []],
  ['status=queued', []],
]
for (const [query, found] of searches) {
  test(`?${decodeURIComponent(query.replaceAll(/[0-9a-f-]{36}/g, '…'))} finds ${found.length}`, async () => {
    assert.deepEqual(await listed(query), found)
  })
}

test('pages continue where they ended while messages are added, and a cursor works for its own list only', async () => {
  const { body: first } = await team.api.get(`/v1/sms?limit=2&senderId=${shop}`)
  assert.deepEqual([first.data.length, first.hasMore], [2, true])
  await team.api.post('/v1/sms', { to: '+61400000000', body: 'New', senderId: shop })
  const next = await team.api.get(`/v1/sms?limit=2&senderId=${shop}&cursor=${first.cursor}`)
  assert.deepEqual([next.body.data.map(({ id }: { id: string }) => ids.indexOf(id)), next.body.hasMore], [[3], false])
  assert.equal(next.body.cursor, null)
  assert.equal((await team.api.get(`/v1/sms?limit=2&cursor=${first.cursor}`)).status, 400)
})

test('an unknown status, limit or sender is 400', async () => {
  for (const query of [
    'status=lost',
    'limit=0',
    'limit=101',
    'senderId=01890a5d-ac96-774b-bcce-b302099a8057',
    'to=1',
  ]) {
    assert.equal((await team.api.get(`/v1/sms?${query}`)).status, 400, query)
  }
})

test('another team sees none of the messages', async () => {
  const stranger = await posthorn.team()
  assert.deepEqual((await stranger.api.get('/v1/sms')).body, { data: [], cursor: null, hasMore: false })
  for (const path of ['', '/events']) assert.equal((await stranger.api.get(`/v1/sms/${ids[0]}${path}`)).status, 404)
})
