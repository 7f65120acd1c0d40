import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { forAllAsync } from '../../test/for-all.ts'
import { propertyTest, slowTest } from '../../test/slow.ts'
import { createAudience, readers, runFor } from '../broadcasts/fixtures/audience.ts'
import type { App } from '../context.ts'
import type { EmailFact } from '../emails/messages/facts/consequences.ts'
import { recordEmailFacts } from '../emails/messages/facts/record.ts'
import { foldMetrics } from './fixtures/fold.ts'

const posthorn = await createTestApp()
const hourMs = 3_600_000

async function send(team: TestTeam, fields: object = {}): Promise<string> {
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', text: 'Hello', ...fields }
  const answer = await ok(team.api.post('/v1/emails', email))
  return answer.id
}

function record({ id: teamId }: TestTeam, emailId: string, fact: EmailFact, providerEventId = posthorn.app.newId()) {
  return posthorn.app.transaction((tx) => recordEmailFacts(tx, [{ teamId, emailId, facts: [fact], providerEventId }]))
}

const opened = (bot = false): EmailFact => ({ type: 'opened', recipient: null, data: { bot } })
const clicked = (bot = false): EmailFact => ({ type: 'clicked', recipient: null, data: { bot } })
const bounced = (permanent: boolean, recipient = 'ada@people.test'): EmailFact => {
  return { type: 'bounced', recipient, permanent, suppress: false, data: {} }
}

/** The figures of a team that are not zero. */
async function totalOf(team: TestTeam, query = ''): Promise<Record<string, number>> {
  const body = await ok(team.api.get(`/v1/metrics/emails${query}`))
  return Object.fromEntries(Object.entries<number>(body.total).filter(([, count]) => count !== 0))
}

test('an email to several recipients counts once at once, and the same when the changes are folded', async () => {
  const team = await posthorn.team()
  await send(team, { to: ['ada@people.test', 'bob@people.test'] })
  const { body: before } = await team.api.get('/v1/metrics/emails')
  const { accepted, sent, delivered, bounced } = before.total
  assert.deepEqual({ accepted, sent, delivered, bounced }, { accepted: 1, sent: 1, delivered: 1, bounced: 0 })
  assert.equal(before.data.length, 30)
  assert.deepEqual(before.data.at(-1), { at: '2030-06-15T00:00:00.000Z', ...before.total })
  await posthorn.runDueJobs()
  assert.equal((await sql`select from email_metric_changes`.execute(posthorn.app.db)).rows.length, 0)
  assert.deepEqual((await team.api.get('/v1/metrics/emails')).body, before)
})

test('openings and clicks of people count each time and uniquely once; those of machines do not', async () => {
  const team = await posthorn.team()
  const id = await send(team)
  for (const fact of [opened(true), opened(), opened(), clicked(true), clicked()]) await record(team, id, fact)
  await record(team, id, clicked(), 'twice')
  await record(team, id, clicked(), 'twice')
  const { opened: opens, clicked: clicks, uniqueOpened, uniqueClicked } = await totalOf(team)
  assert.deepEqual([opens, uniqueOpened, clicks, uniqueClicked], [2, 1, 2, 1])
})

test('refusals that may pass are soft bounces, and a complaint is a delivery', async () => {
  const team = await posthorn.team()
  const id = await send(team, { to: ['bounce@simulator.test'], scheduledAt: '2031-01-01T00:00:00Z' })
  await record(team, id, bounced(false))
  await record(team, id, bounced(false, 'bob@people.test'))
  await record(team, id, bounced(true, 'bob@people.test'))
  await record(team, id, { type: 'delivery_delayed', recipient: 'ada@people.test', data: {} })
  await record(team, id, { type: 'complained', recipient: 'ada@people.test', data: {} })
  await record(team, id, { type: 'delivered', recipient: 'ada@people.test', data: {} })
  const expected = { accepted: 1, delivered: 1, delayed: 1, bounced: 1, softBounced: 1, complained: 1 }
  assert.deepEqual(await totalOf(team), expected)
})

test('a late event counts in its own hour, and nothing is lost when the emails are deleted', async () => {
  const team = await posthorn.team()
  const id = await send(team)
  const sentAt = posthorn.clock.now()
  posthorn.clock.advance(3 * hourMs)
  await record(team, id, opened())
  await posthorn.app.transaction((tx) => tx.db.deleteFrom('emails').where('id', '=', id).execute())
  const { body } = await team.api.get(`/v1/metrics/emails?interval=hour&from=${sentAt.toISOString()}`)
  const seen = body.data.map((point: Record<string, number>) => [point.sent, point.opened, point.uniqueOpened])
  assert.deepEqual(seen.slice(0, 4), [
    [1, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 1, 1],
  ])
  assert.deepEqual(await totalOf(team), { accepted: 1, sent: 1, delivered: 1, opened: 1, uniqueOpened: 1 })
})

test('a filter narrows the figures to a domain, a workflow, a broadcast or a tag', async () => {
  const team = await posthorn.team()
  await send(team, { tags: { order: '1024', kind: 'receipt' } })
  await send(team, { tags: { kind: 'receipt' } })
  await send(team)
  const accepted = async (query: string) => (await totalOf(team, query)).accepted ?? 0
  const check = async () => {
    const queries = ['', `?domainId=${team.domainId}`, '?tag=kind:receipt', '?tag=order:1024', '?tag=order:1']
    assert.deepEqual(await Promise.all(queries.map(accepted)), [3, 3, 2, 1, 0])
  }
  await check()
  await foldMetrics(posthorn.app)
  await check()
})

slowTest(
  'a thousand tags a day are counted, before and after folding, and further ones into the other figures',
  async () => {
    const team = await posthorn.team()
    let tags = 0
    const sendTags = (count: number) =>
      send(team, { tags: Object.fromEntries(Array.from({ length: count }, () => [`tag${++tags}`, 'x'])) })
    const accepted = async (tag: number) => (await totalOf(team, `?tag=tag${tag}:x`)).accepted ?? 0
    const counts = async () => [await accepted(1), await accepted(1000), await accepted(1001), await accepted(1010)]
    for (let emails = 0; emails < 10; emails++) await sendTags(50)
    await foldMetrics(posthorn.app)
    for (let emails = 0; emails < 10; emails++) await sendTags(50)
    await sendTags(10)
    assert.deepEqual(await counts(), [1, 1, 0, 0])
    await foldMetrics(posthorn.app)
    assert.deepEqual(await counts(), [1, 1, 0, 0])
    await send(team, { tags: { tag1: 'x', tag1001: 'x' } })
    assert.deepEqual(await counts(), [2, 1, 0, 0])
    await foldMetrics(posthorn.app)
    assert.deepEqual(await counts(), [2, 1, 0, 0])
    assert.equal((await totalOf(team)).accepted, 22)
    assert.equal((await totalOf(team, `?domainId=${team.domainId}`)).accepted, 22)
    const { rows } = await sql`select from email_metrics where team_id = ${team.id}`.execute(posthorn.app.db)
    assert.equal(rows.length, 1002)
    const other = await posthorn.team()
    await send(other, { tags: { tag1001: 'x' } })
    assert.equal((await totalOf(other, '?tag=tag1001:x')).accepted, 1)
    posthorn.clock.advance(24 * hourMs)
    await send(team, { tags: { tag1001: 'x' } })
    await foldMetrics(posthorn.app)
    assert.equal(await accepted(1001), 1)
  },
)

test('a broadcast has its own figures, and who unsubscribes by a link counts for its newest email', async () => {
  const team = await posthorn.team()
  const { segmentId, tokens } = await createAudience(posthorn, team, readers(3))
  const draft = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'News' }
  const { body: broadcast } = await team.api.post('/v1/broadcasts', draft)
  assert.equal((await team.api.post(`/v1/broadcasts/${broadcast.id}/send`)).status, 200)
  await runFor(posthorn, 1)
  await posthorn.anyone.post(`/unsubscribe?token=${tokens[0]}`)
  await posthorn.anyone.post(`/unsubscribe?token=${tokens[0]}`)
  await send(team)
  const expected = { accepted: 3, sent: 3, delivered: 3, unsubscribed: 1 }
  assert.deepEqual(await totalOf(team, `?broadcastId=${broadcast.id}`), expected)
})

test('unknown ids, several filters, and a tag without a value are refused', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const nobody = posthorn.app.newId()
  const bad = [
    [`domainId=${other.domainId}`, 'domainId'],
    [`broadcastId=${nobody}`, 'broadcastId'],
    [`workflowId=${nobody}`, 'workflowId'],
    ['domainId=42', 'domainId'],
    ['tag=kind', 'tag'],
    [`domainId=${team.domainId}&tag=kind:a`, 'tag'],
    ['senderId=1', 'senderId'],
  ]
  for (const [query, field] of bad) {
    const { status, body } = await team.api.get(`/v1/metrics/emails?${query}`)
    assert.equal(status, 400, query)
    assert.match(body.message, new RegExp(field!), query)
  }
  assert.equal((await team.api.get(`/v1/metrics/webhooks?workflowId=${nobody}`)).status, 400)
  const segmentId = (await team.api.post('/v1/segments', { name: 'All' })).body.id
  const draft = { name: 'News', from: `news@${team.domain}`, subject: 'News', text: 'News', segmentId }
  const { id: live } = (await team.api.post('/v1/broadcasts', draft)).body
  const trial = posthorn.as(
    (await ok(team.api.post('/v1/api-keys', { name: 'Trial', mode: 'test', permission: 'full_access' }))).key,
  )
  assert.equal((await trial.get(`/v1/metrics/emails?broadcastId=${live}`)).status, 400)
  assert.equal((await trial.get(`/v1/metrics/emails?domainId=${team.domainId}`)).status, 200)
})

test('an email that was withdrawn was never accepted, and one that is not to be counted is left out', async () => {
  const team = await posthorn.team()
  const scheduledAt = '2031-01-01T00:00:00Z'
  const [withdrawn, uncounted] = [await send(team, { scheduledAt }), await send(team, { scheduledAt })]
  await posthorn.app.transaction((tx) => tx.db.deleteFrom('emails').where('id', '=', withdrawn).execute())
  assert.deepEqual(await totalOf(team), { accepted: 1 })
  await sql`update emails set seen = null where id = ${uncounted}`.execute(posthorn.app.db)
  await record(team, uncounted, opened())
  assert.deepEqual(await totalOf(team), { accepted: 1 })
})

const facts: Record<string, () => EmailFact> = {
  sent: () => ({ type: 'sent', recipient: null, data: null }),
  delivered: () => ({ type: 'delivered', recipient: 'ada@people.test', data: {} }),
  delayed: () => ({ type: 'delivery_delayed', recipient: 'ada@people.test', data: {} }),
  bounced: () => bounced(true),
  softBounced: () => bounced(false),
  opened: () => opened(),
  botOpened: () => opened(true),
  clicked: () => clicked(),
}

/** Counts the events of a team, as the figures should be. */
async function countRows(app: App, teamId: string): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select count(distinct email.id)::int as accepted,
      count(distinct email.id) filter (where type = 'sent')::int as sent,
      count(distinct email.id) filter (where type = 'delivered')::int as delivered,
      count(distinct email.id) filter (where type = 'delivery_delayed')::int as delayed,
      count(*) filter (where type = 'opened' and data->>'bot' = 'false')::int as opened,
      count(*) filter (where type = 'clicked')::int as clicked,
      count(distinct email.id) filter (where type = 'opened' and data->>'bot' = 'false')::int as "uniqueOpened",
      count(distinct email.id) filter (where type = 'clicked')::int as "uniqueClicked"
    from emails as email left join email_events as event on event.team_id = email.team_id and event.email_id = email.id
    where email.team_id = ${teamId}
  `.execute(app.db)
  return Object.fromEntries(Object.entries(rows[0]!).filter(([, count]) => count !== 0))
}

propertyTest('figures are those of the rows for any facts at the same time, while two processes fold', async () => {
  const other = await posthorn.another()
  const step = fc.record({ fact: fc.constantFrom(...Object.keys(facts)), email: fc.nat({ max: 2 }), id: fc.nat(4) })
  await forAllAsync(50, fc.array(step, { minLength: 1, maxLength: 24 }), async (steps) => {
    const team = await posthorn.team()
    const ids: string[] = []
    for (let made = 0; made < 3; made++) ids.push(await send(team, { scheduledAt: '2031-01-01T00:00:00Z' }))
    const folds = [foldMetrics(posthorn.app), foldMetrics(other.app)]
    const work = steps.map(({ fact, email, id }) => record(team, ids[email]!, facts[fact]!(), `${fact} ${id}`))
    await Promise.all([...work, ...folds])
    const { bounced: _, softBounced: __, ...figures } = await totalOf(team)
    assert.deepEqual(figures, await countRows(posthorn.app, team.id))
    await Promise.all([foldMetrics(posthorn.app), foldMetrics(other.app)])
    const { bounced: ___, softBounced: ____, ...folded } = await totalOf(team)
    assert.deepEqual(folded, figures)
  })
})
