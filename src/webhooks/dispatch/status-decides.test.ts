import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { slowTest } from '../../../test/slow.ts'
import { createWebhookApp } from '../fixtures/app.ts'

const posthorn = await createWebhookApp({ WEBHOOK_TIMEOUT: '5s' })

/** Delivers one event to an endpoint that answers like this. Returns the delivery, its attempt and what arrived. */
async function deliver(answer: (response: ServerResponse) => void) {
  const { team, receiver, webhook } = await posthorn.setUp()
  receiver.answer = answer
  await posthorn.happen(team.id)
  for (let round = 0; round < 3; round++) {
    await posthorn.runDueJobs()
    posthorn.clock.advance(3_600_000)
  }
  const [delivery] = (await webhook.deliveries()).data
  const { body } = await team.api.get(`${webhook.path}/deliveries/${delivery.id}/attempts`)
  return { delivery, attempt: body.data[0], received: receiver.received.length }
}

slowTest('an answer of 2xx delivers, whatever becomes of its body', async () => {
  const answers: Record<string, (response: ServerResponse) => void> = {
    'that never ends': (response) => response.writeHead(200).write('one'),
    'that never begins': (response) => response.writeHead(202, { 'Content-Length': 9 }).flushHeaders(),
    'that is cut': (response) =>
      response.writeHead(200, { 'Content-Length': 100 }).write('one', () => response.destroy()),
    // The headers may be sent a moment later, so the broken chunk waits for them.
    'in a broken chunk': (response) =>
      response.writeHead(201).write('one', () => response.socket!.write('no chunk\r\n')),
    'of many KiB': (response) => response.writeHead(200).end('x'.repeat(100_000)),
  }
  // One after the other: each moves the clock past the leases of attempts under way.
  for (const [name, answer] of Object.entries(answers)) {
    const { delivery, attempt, received } = await deliver(answer)
    assert.deepEqual([delivery.status, delivery.attempts, received, attempt.error], ['delivered', 1, 1, null], name)
    if (name.startsWith('of')) assert.equal(attempt.body, 'x'.repeat(1024))
  }
})

slowTest('another status fails the attempt, whatever becomes of its body', async () => {
  const { delivery, attempt, received } = await deliver((response) => response.writeHead(500).write('one'))
  assert.deepEqual([delivery.status, attempt.statusCode, attempt.body, received], ['pending', 500, 'one', 3])
})

test('an answer that is cut before its headers end is no answer', async () => {
  const { attempt, received } = await deliver((response) =>
    response.socket!.write('HTTP/1.1 200 OK\r\nX-Own: ', () => response.destroy()),
  )
  assert.deepEqual([attempt.statusCode, received], [null, 3])
})
