import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ok } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { createWebhookApp, emailId, signatureOf } from '../fixtures/app.ts'

const posthorn = await createWebhookApp({ WEBHOOK_RETRY_DELAYS: '1s' })
const { app } = posthorn

async function setUp() {
  const { team, receiver, webhook } = await posthorn.setUp()
  /** Makes deliveries that fail for good. */
  async function fail(count: number) {
    receiver.answer = 500
    for (let made = 0; made < count; made++) await posthorn.happen(team.id, 'email.delivered', { made })
    for (let attempt = 0; attempt < 2; attempt++) {
      await posthorn.runDueJobs()
      posthorn.clock.advance(1000)
    }
    receiver.answer = 200
    receiver.received.length = 0
  }
  const replay = (since: string) => team.api.post(`${webhook.path}/replay`, { since })
  return { team, receiver, webhook, fail, replay }
}

const now = () => posthorn.clock.now().toISOString()
const madeOf = ({ body }: { body: string }): number => JSON.parse(body).data.details.made

test('what failed since a time is delivered again, oldest first and once, as new deliveries', async () => {
  const { receiver, webhook, fail, replay } = await setUp()
  await fail(2)
  const since = now()
  await fail(3)
  const answer = await replay(since)
  assert.deepEqual([answer.status, answer.body], [200, { queued: 3 }])
  await posthorn.runDueJobs()
  assert.deepEqual(receiver.received.map(madeOf).toSorted(), [0, 1, 2])
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  const failed: { id: string }[] = (await webhook.deliveries('?status=failed')).data
  assert.deepEqual([failed.length, failed.some(({ id }) => ids.includes(id))], [5, false])
  assert.equal((await webhook.deliveries('?status=delivered')).data.length, 3)
  assert.deepEqual((await replay(since)).body, { queued: 0 })
  assert.deepEqual((await replay('0001-01-01T00:00:00Z')).body, { queued: 2 })
})

test('a replay is refused while one is under way, and for a webhook that is inactive', async () => {
  const { team, webhook, fail, replay } = await setUp()
  await fail(1)
  const since = '2020-01-01T00:00:00Z'
  assert.equal((await replay(since)).body.queued, 1)
  assert.equal((await replay(since)).status, 409)
  await team.api.patch(webhook.path, { status: 'inactive' })
  assert.equal((await replay(since)).status, 409)
  await posthorn.runDueJobs()
  assert.equal((await webhook.deliveries()).data.length, 1)
  await team.api.patch(webhook.path, { status: 'active' })
  assert.equal((await replay(since)).body.queued, 1, 'nothing was replayed while it was inactive')
  for (const body of [{}, { since: 'yesterday' }, { since: '2026-02-30T00:00:00Z' }, { since, until: since }]) {
    assert.equal((await team.api.post(`${webhook.path}/replay`, body)).status, 400)
  }
})

slowTest('a replay of many pages goes on after a kill, and repeats and skips none', async () => {
  const { team, receiver, webhook, replay } = await setUp()
  // The removal of old deliveries runs once now, and then not before the end of the test.
  await posthorn.runDueJobs()
  const ids = Array.from({ length: 1100 }, (_, index) => `01890a5d-ac96-774b-bcce-${String(index).padStart(12, '0')}`)
  await sql`
    insert into webhook_deliveries (team_id, webhook_id, id, event_type, status, payload, created_at, counted_at)
    select ${team.id}, ${webhook.id}, new.id, 'email.delivered', 'failed',
      '{"data": {"details": {"made": ' || place || '}}}', ${posthorn.clock.now()}, ${posthorn.clock.now()}
    from unnest(${ids}::uuid[]) with ordinality as new (id, place)
  `.execute(app.db)
  // The ids are of 2023.
  assert.equal((await replay('2023-01-01T00:00:00Z')).body.queued, 1100)
  const lease = { lease_token: emailId, run_at: new Date(posthorn.clock.now().getTime() + 30_000) }
  await app.db.updateTable('jobs').set(lease).where('kind', '=', 'webhooks.replay-failed').execute()
  await posthorn.runDueJobs()
  assert.equal(receiver.received.length, 0, 'the process that held the replay was killed')
  await posthorn.runDueJobsAfter(30_000)
  assert.equal(receiver.received.length, 1100)
  assert.equal(new Set(receiver.received.map(madeOf)).size, 1100)
})

test('a test event is delivered like any other, and says that it is a test', async () => {
  const { team, receiver, webhook } = await setUp()
  const answer = await ok(team.api.post(`${webhook.path}/test`, { eventType: 'email.bounced' }), 201)
  const { id, payload, eventType, status } = answer
  assert.deepEqual(
    [eventType, status, payload.type, payload.mode],
    ['email.bounced', 'pending', 'email.bounced', 'test'],
  )
  assert.deepEqual(Object.keys(payload.data), ['email_id', 'details'])
  await posthorn.runDueJobs()
  const [received] = receiver.received
  assert.deepEqual([received!.headers['webhook-id'], JSON.parse(received!.body)], [id, payload])
  assert.equal(received!.headers['webhook-signature'], signatureOf(received!, webhook.secret))
  for (const body of [{}, { eventType: 'email.read' }, { eventType: 'email.sent', more: 1 }]) {
    assert.equal((await team.api.post(`${webhook.path}/test`, body)).status, 400)
  }
  await team.api.patch(webhook.path, { status: 'inactive' })
  assert.equal((await team.api.post(`${webhook.path}/test`, { eventType: 'email.sent' })).status, 409)
})
