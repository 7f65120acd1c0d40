import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pluckRows } from '../../../test/pluck.ts'
import { slowTest } from '../../../test/slow.ts'
import { createWebhookApp, makeWebhook } from '../fixtures/app.ts'

const posthorn = await createWebhookApp({ WEBHOOK_RETRY_DELAYS: '1s,1s' })

async function setUp() {
  const { team, receiver, webhook } = await posthorn.setUp()
  async function attempts(query = '') {
    const [{ id }] = (await webhook.deliveries()).data
    return (await team.api.get(`${webhook.path}/deliveries/${id}/attempts${query}`)).body
  }
  return { team, receiver, webhook, attempts }
}

test('each attempt is listed with its answer, newest first', async () => {
  const { team, receiver, webhook, attempts } = await setUp()
  await posthorn.happen(team.id)
  assert.deepEqual(await attempts(), { data: [], cursor: null, hasMore: false })
  receiver.answer = 503
  const first = posthorn.clock.now().toISOString()
  await posthorn.runDueJobs()
  posthorn.clock.advance(1000)
  receiver.answer = (response) => response.destroy()
  await posthorn.runDueJobs()
  posthorn.clock.advance(1000)
  receiver.answer = (response) => response.writeHead(204).end()
  await posthorn.runDueJobs()
  const { data } = await attempts()
  assert.deepEqual(Object.keys(data[0]), ['at', 'durationMs', 'statusCode', 'error', 'body'])
  assert.deepEqual(pluckRows(data, 'statusCode', 'body'), [
    [204, null],
    [null, null],
    [503, 'noted'],
  ])
  assert.deepEqual([data[2].at, data[2].error], [first, null])
  assert.ok(Number.isInteger(data[0].durationMs))
  assert.match(data[1].error, /\w/)
  const page = await attempts('?limit=2')
  const rest = await attempts(`?limit=2&cursor=${page.cursor}`)
  assert.deepEqual([...page.data, ...rest.data], data)
  assert.deepEqual([page.hasMore, rest.hasMore], [true, false])
  const other = await makeWebhook(team.api, receiver.url)
  const [{ id }] = (await webhook.deliveries()).data
  assert.equal((await team.api.get(`${other.path}/deliveries/${id}/attempts`)).status, 404)
})

test('of an answer 1 KiB is kept, as text that can be stored', async () => {
  for (const [body, kept] of [
    ['x'.repeat(5000), 'x'.repeat(1024)],
    [`x${'ä'.repeat(1000)}`, `x${'ä'.repeat(511)}`],
    ['a\0b', 'a\ufffdb'],
    [Buffer.alloc(2000, 0xff), '\ufffd'.repeat(341)],
  ] as const) {
    const { team, receiver, attempts } = await setUp()
    receiver.answer = (response) => response.writeHead(200).end(body)
    await posthorn.happenNow(team.id)
    assert.equal((await attempts()).data[0].body, kept)
  }
})

slowTest('erasing a person removes answers that name the person, and keeps the delivery', async () => {
  const { team, receiver, webhook, attempts } = await setUp()
  receiver.answer = (response) => response.writeHead(404).end('Unknown:\nada@people.test')
  await posthorn.happenNow(team.id)
  const { api } = await team.member('admin')
  const asked = await api.post('/v1/privacy/requests', { type: 'erase', email: 'ada@people.test' })
  posthorn.clock.advance(60_000)
  receiver.answer = 200
  await posthorn.runDueJobs()
  const path = `/v1/privacy/requests/${asked.body.id}`
  for (let count = 0; count < 20 && (await api.get(path)).body.status === 'running'; count++) {
    await posthorn.runDueJobsAfter(60_000)
  }
  const { status, counts } = (await api.get(path)).body
  assert.equal(status, 'done')
  assert.deepEqual([counts.webhookAttempts.removed, counts.webhookDeliveries.removed], [1, 0])
  const [delivery] = (await webhook.deliveries()).data
  const { data } = await attempts()
  assert.deepEqual([delivery.attempts, data.at(-1).statusCode, data.at(-1).body], [2, 404, null])
})
