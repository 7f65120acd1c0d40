import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { TestTeam } from '../../../test/app.ts'
import { until } from '../../../test/patience.ts'
import { slowTest } from '../../../test/slow.ts'
import { whileLocked } from '../../../test/while-locked.ts'
import { createWebhookApp } from '../fixtures/app.ts'

const posthorn = await createWebhookApp({ WEBHOOK_RETRY_DELAYS: '1s' })
const dayMs = 24 * 3_600_000

async function setUp(answer: number) {
  const { team, receiver, webhook } = await posthorn.setUp()
  receiver.answer = answer
  const status = async () => (await team.api.get(webhook.path)).body.status
  return { team, receiver, webhook, status }
}

async function happen({ id }: TestTeam, count: number) {
  for (let n = 0; n < count; n++) await posthorn.happen(id)
  await posthorn.runDueJobs()
  await posthorn.runDueJobsAfter(2000)
}

const attemptsName = 'posthorn_webhook_unconfirmed_attempts_total'

/** Reads a metric without labels. Gauges are at most five seconds old. */
async function measured(name: string): Promise<number> {
  posthorn.clock.advance(5000)
  const { text } = await posthorn.anyone.get('/metrics')
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)![1])
}

async function pass(days: number) {
  await posthorn.runDueJobsAfter(days * dayMs)
}

test('a webhook that has only failed for five days is switched off, and can be switched on again', async () => {
  const { team, receiver, webhook, status } = await setUp(500)
  await happen(team, 50)
  await pass(4)
  assert.equal(await status(), 'active')
  await pass(1.1)
  assert.equal(await status(), 'inactive')
  const asked = receiver.received.length
  await happen(team, 1)
  assert.equal(receiver.received.length, asked)
  receiver.answer = 200
  assert.equal((await team.api.patch(webhook.path, { status: 'active' })).body.status, 'active')
  await pass(1)
  assert.equal(await status(), 'active')
  await happen(team, 1)
  assert.equal(receiver.received.length, asked + 1)
})

slowTest('pending deliveries fail when a webhook is switched off', async () => {
  const { team, webhook, status } = await setUp(500)
  await happen(team, 50)
  posthorn.clock.advance(5.1 * dayMs - 1)
  await posthorn.happenNow(team.id)
  await pass(0.1)
  assert.equal(await status(), 'inactive')
  assert.deepEqual((await webhook.deliveries('?status=pending')).data, [])
})

slowTest('a webhook that sometimes succeeds, rarely fails, or fails only since yesterday stays on', async () => {
  const sometimes = await setUp(500)
  const seldom = await setUp(500)
  const lately = await setUp(200)
  await happen(sometimes.team, 50)
  await happen(seldom.team, 49)
  await happen(lately.team, 1)
  await pass(4)
  sometimes.receiver.answer = 200
  await happen(sometimes.team, 1)
  sometimes.receiver.answer = 500
  lately.receiver.answer = 500
  await happen(sometimes.team, 50)
  await pass(3)
  await happen(lately.team, 60)
  await pass(1)
  for (const { status } of [sometimes, seldom, lately]) assert.equal(await status(), 'active')
})

test('a success that finds the webhook locked is stored by the next one', async () => {
  const { team, receiver, webhook } = await setUp(200)
  await happen(team, 1)
  posthorn.clock.advance(2 * 3_600_000)
  const id = webhook.path.split('/').at(-1)!
  let working: Promise<void> | undefined
  await whileLocked(posthorn.app, sql`select from webhooks where id = ${id} for no key update`, async () => {
    working = happen(team, 1)
    await until(async () => (await webhook.deliveries('?status=delivered')).data.length === 2)
  })
  await working
  const before = posthorn.clock.now()
  await happen(team, 1)
  assert.equal(receiver.received.length, 3)
  const { healthy_at } = await posthorn.app.db
    .selectFrom('webhooks')
    .select('healthy_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.ok(healthy_at >= before, `${healthy_at}`)
})

test('an endpoint is unconfirmed until it accepts a delivery at its present URL, and metrics count it and the attempts', async () => {
  const { team, receiver, webhook } = await setUp(404)
  // Those of other tests are counted too.
  const [endpoints, attempts] = [await measured('posthorn_webhooks_unconfirmed'), await measured(attemptsName)]
  await happen(team, 3)
  assert.deepEqual(
    [await measured('posthorn_webhooks_unconfirmed'), await measured(attemptsName)],
    [endpoints, attempts + 6],
  )
  receiver.answer = 200
  await happen(team, 1)
  assert.equal(await measured('posthorn_webhooks_unconfirmed'), endpoints - 1)
  const { body } = await team.api.patch(webhook.path, { endpointUrl: `${receiver.url}/moved` })
  assert.equal(body.endpointUrl, `${receiver.url}/moved`)
  assert.equal(await measured('posthorn_webhooks_unconfirmed'), endpoints)
  await happen(team, 1)
  assert.equal(await measured('posthorn_webhooks_unconfirmed'), endpoints - 1, 'also within the hour')
})
