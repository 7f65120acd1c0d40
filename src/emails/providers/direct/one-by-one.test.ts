import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pluck } from '../../../../test/pluck.ts'
import { createWorld } from './fixtures/world.ts'

const world = await createWorld({ INBOUND_SMTP_PORT: '0' })
const sender = await world.sender()

test('if bounces come back to the installation, each recipient gets the email from a separate return address', async () => {
  const host = await world.host('127.0.0.2')
  world.domainAt('left.test', '127.0.0.2')
  const sent = await sender.deliver('a@left.test', 'b@left.test')
  assert.deepEqual(pluck(host.messages, 'to'), [['a@left.test'], ['b@left.test']])
  const [one, other] = host.messages
  assert.notEqual(one!.from, other!.from)
  assert.ok(one!.raw.equals(other!.raw), 'both got the same bytes')
  assert.equal((await sender.email(sent.id)).status, 'delivered')
})

test('after a lost answer the next recipient is tried later and gets the email once', async () => {
  let ends = 0
  const host = await world.script('127.0.0.3', (verb, socket) => {
    if (verb !== 'END' || ++ends > 1) return undefined
    socket.resetAndDestroy()
    return null
  })
  world.domainAt('lossy.test', '127.0.0.3')
  const sent = await sender.deliver('a@lossy.test', 'b@lossy.test')
  assert.deepEqual(await sender.story(sent.id), ['sent', 'outcome_unknown', 'delivery_delayed', 'delayed'])
  await world.pass(10 * 60_000)
  assert.equal((await sender.email(sent.id)).status, 'delivered')
  const asked = host.commands.flatMap((line) => /^RCPT TO:<(.*)>/.exec(line)?.[1] ?? [])
  assert.deepEqual(asked, ['a@lossy.test', 'a@lossy.test', 'b@lossy.test'])
})
