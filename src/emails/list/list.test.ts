import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../../test/app.ts'
import { readPages } from '../../../test/pages.ts'
import { pluck } from '../../../test/pluck.ts'
import { slowTest } from '../../../test/slow.ts'
import { recordEmailFacts } from '../messages/facts/record.ts'

const posthorn = await createTestApp()

type Listed = { id: string; subject: string }

async function send(team: TestTeam, subjects: string[], change: Record<string, unknown> = {}) {
  const emails = subjects.map((subject) => ({
    from: `Ada's Shop <a@${team.domain}>`,
    to: ['ada@example.com'],
    subject,
    ...change,
  }))
  const sent = await ok(team.api.post('/v1/emails/batch', { emails }))
  return sent.data as Listed[]
}

async function walk(team: TestTeam, query: string): Promise<{ subjects: string[]; totals: Set<number> }> {
  const pages = await readPages(team.api, `/v1/emails?${query}`)
  const subjects = pages.flatMap(({ data }) => data.map((email: Listed) => email.subject))
  return { subjects, totals: new Set(pluck(pages, 'total')) }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `Mail ${index}`)

test('the pages list every email once, newest first, with the same total', async () => {
  const team = await posthorn.team()
  await send(team, numbers(25))
  const { subjects, totals } = await walk(team, 'limit=10')
  assert.deepEqual(subjects, numbers(25).reverse())
  assert.deepEqual([...totals], [25])
})

test('pages stay stable while new emails arrive', async () => {
  const team = await posthorn.team()
  await send(team, numbers(6))
  const first = await team.api.get('/v1/emails?limit=3')
  await send(team, ['New'])
  const second = await team.api.get(`/v1/emails?limit=3&cursor=${first.body.cursor}`)
  assert.deepEqual(pluck(second.body.data, 'subject'), ['Mail 2', 'Mail 1', 'Mail 0'])
  assert.equal(second.body.total, 6)
  assert.equal(second.body.cursor, null)
})

test('list items have exactly the specified fields', async () => {
  const team = await posthorn.team()
  await send(team, ['One'])
  const [item] = (await team.api.get('/v1/emails')).body.data
  assert.deepEqual(Object.keys(item).sort(), [
    'createdAt',
    'domainName',
    'from',
    'id',
    'mode',
    'sentAt',
    'status',
    'subject',
    'to',
  ])
  assert.equal(item.domainName, team.domain)
})

test('filters and search narrow the list and its total, before and after counts are folded', async () => {
  const team = await posthorn.team()
  await send(team, ['Order 100% ready', 'Order_2', 'Invoice'])
  await send(team, ['Bounce'], { to: ['bounce@example.test'] })
  const expectations: [query: string, subjects: string[]][] = [
    ['status=bounced', ['Bounce']],
    ['status=scheduled', []],
    [`domainId=${team.domainId}`, ['Bounce', 'Invoice', 'Order_2', 'Order 100% ready']],
    ['search=ORDER', ['Order_2', 'Order 100% ready']],
    ['search=%25', ['Order 100% ready']],
    ['search=_', ['Order_2']],
    ['search=shop', ['Bounce', 'Invoice', 'Order_2', 'Order 100% ready']],
    ['search=shop&status=delivered', ['Invoice', 'Order_2', 'Order 100% ready']],
    ['search=o', ['Bounce', 'Invoice', 'Order_2', 'Order 100% ready']],
    ['search=nothing', []],
  ]
  for (const folded of [false, true]) {
    if (folded) await posthorn.runDueJobs()
    for (const [query, subjects] of expectations) {
      const { subjects: found, totals } = await walk(team, `${query}&limit=2`)
      assert.deepEqual(found, subjects, `${query} ${folded}`)
      assert.deepEqual([...totals], [subjects.length], query)
    }
  }
})

test('cursors of other lists, other filters, or changed ones are 400', async () => {
  const team = await posthorn.team()
  await send(team, numbers(5))
  const other = await posthorn.team()
  await send(other, numbers(5))
  const { cursor } = (await team.api.get('/v1/emails?limit=2')).body
  const foreign = (await other.api.get('/v1/emails?limit=2')).body.cursor
  const flipped = cursor.slice(0, -2) + (cursor.endsWith('AA') ? 'BB' : 'AA')
  for (const bad of [foreign, flipped, `${cursor}x`, 'nonsense', 'a.b', '.']) {
    assert.equal((await team.api.get(`/v1/emails?limit=2&cursor=${encodeURIComponent(bad)}`)).status, 400, bad)
  }
  assert.equal((await team.api.get(`/v1/emails?limit=2&status=sent&cursor=${cursor}`)).status, 400)
})

test('limits outside 1 to 100 and unknown query fields are 400', async () => {
  const team = await posthorn.team()
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1.5',
    'status=open',
    'domainId=7',
    'domainId=01890a5d-ac96-774b-bcce-b302099a8057',
    'page=2',
  ]) {
    assert.equal((await team.api.get(`/v1/emails?${query}`)).status, 400, query)
  }
})

slowTest(
  'a stored total of a common word stays exact while mail is added, cancelled and complained about',
  async () => {
    const team = await posthorn.team()
    const hourMs = 3_600_000
    const scheduledAt = new Date(posthorn.clock.now().getTime() + 1000 * hourMs).toISOString()
    const batches = Array.from({ length: 21 }, (_, batch) =>
      numbers(100).map((subject) => `Parcel ${batch} ${subject}`),
    )
    const waiting = (await Promise.all(batches.map((subjects) => send(team, subjects, { scheduledAt })))).flat()
    const total = async (query: string) => (await team.api.get(`/v1/emails?limit=1&search=parcel${query}`)).body.total
    const totals = async () => ({
      all: await total(''),
      scheduled: await total('&status=scheduled'),
      ended: (await total('&status=cancelled')) + (await total('&status=complained')),
    })
    for (const wait of [0, 30, 30]) {
      posthorn.clock.advance(wait * hourMs)
      assert.deepEqual(await totals(), { all: 2100, scheduled: 2100, ended: 0 })
    }
    const [sent] = await send(team, ['Parcel sent', 'Letter'])
    await team.api.post(`/v1/emails/${waiting[0]!.id}/cancel`)
    assert.deepEqual(await totals(), { all: 2101, scheduled: 2099, ended: 1 })
    posthorn.clock.advance(30 * hourMs)
    assert.deepEqual(await totals(), { all: 2101, scheduled: 2099, ended: 1 })
    const complaint = { type: 'complained' as const, recipient: 'ada@example.com', data: {} }
    const complaints = [sent!, waiting[1]!].map(({ id }) => ({ teamId: team.id, emailId: id, facts: [complaint] }))
    await posthorn.app.transaction((tx) => recordEmailFacts(tx, complaints))
    assert.deepEqual(await totals(), { all: 2101, scheduled: 2098, ended: 3 })
  },
)
