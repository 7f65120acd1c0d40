import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../../test/app.ts'
import { pluckRows } from '../../../test/pluck.ts'
import { acceptMessages, answerMessages } from '../fixtures/messages.ts'
import { refillCredit } from './set.ts'

const posthorn = await sharedTestApp()
const { app } = posthorn

type Entry = { id: string; kind: string; cents: number; balanceCents: number; messageId: string | null }

test('the ledger is listed newest first, with what each entry changed and the balance after it', async () => {
  const team = await posthorn.team({ plan: 'pro' })
  const [first] = await acceptMessages(app, team.id, [1])
  const [second] = await acceptMessages(app, team.id, [3])
  await answerMessages(app, team.id, [second!], false)
  const body = await ok(team.api.get('/v1/billing/entries'))
  assert.deepEqual([body.cursor, body.hasMore], [null, false])
  assert.deepEqual(pluckRows(body.data, 'kind', 'cents', 'balanceCents', 'messageId'), [
    ['reversal', 25, 198, second!.id],
    ['debit', -25, 173, second!.id],
    ['debit', -2, 198, first!.id],
    ['grant', 200, 200, null],
  ])
  assert.deepEqual(Object.keys(body.data[0]), ['id', 'kind', 'cents', 'balanceCents', 'messageId', 'createdAt'])
})

test('overage takes money and leaves the balance as it is', async () => {
  const team = await posthorn.team()
  await app.transaction((tx) => refillCredit(tx, team.id, 'free', `none ${team.id}`))
  await acceptMessages(app, team.id, [2])
  const { data } = (await team.api.get('/v1/billing/entries')).body
  const [overage, refill]: Entry[] = data
  assert.deepEqual([overage!.kind, overage!.cents, overage!.balanceCents], ['overage', -8, 0])
  assert.deepEqual([refill!.kind, refill!.balanceCents], ['refill', 0])
})

test('pages continue with the balance, while messages are charged', async () => {
  const team = await posthorn.team({ plan: 'pro' })
  await acceptMessages(app, team.id, [1, 2, 1, 2, 1])
  const { data: whole } = (await team.api.get('/v1/billing/entries')).body
  const walked: Entry[] = []
  let page = (await team.api.get('/v1/billing/entries?limit=2')).body
  for (; page.hasMore; page = (await team.api.get(`/v1/billing/entries?limit=2&cursor=${page.cursor}`)).body) {
    walked.push(...page.data)
    await acceptMessages(app, team.id, [1])
  }
  assert.deepEqual([...walked, ...page.data], whole)
  const other = await posthorn.team()
  const { cursor } = (await team.api.get('/v1/billing/entries?limit=1')).body
  assert.equal((await other.api.get(`/v1/billing/entries?cursor=${cursor}`)).status, 400)
})

test('a team without a ledger has an empty list', async () => {
  const team = await posthorn.team({ plan: 'free' })
  assert.deepEqual(
    (await team.api.get('/v1/billing/entries')).body.data.filter(({ kind }: Entry) => kind !== 'zero'),
    [],
  )
})
