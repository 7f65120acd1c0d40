import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discardJob, retryJob } from '../../../platform/jobs/discarded/retry.ts'
import { readReturnAddress } from '../../return-address.ts'
import { createWorld } from './fixtures/world.ts'

const world = await createWorld()
const sender = await world.sender()
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

test('a host that greylists by sender and recipient for more than an hour knows the repeat by its sender', async () => {
  const begun = new Map<string, number>()
  let from = ''
  await world.script('127.0.2.2', (verb, _socket, line) => {
    if (verb === 'MAIL') from = line
    if (verb !== 'RCPT') return undefined
    const nowMs = world.posthorn.clock.now().getTime()
    const pair = `${from} ${line}`
    if (!begun.has(pair)) begun.set(pair, nowMs)
    return nowMs - begun.get(pair)! < 70 * minuteMs ? '451 4.7.1 Greylisted, come again\r\n' : undefined
  })
  world.domainAt('grey.test', '127.0.2.2')
  const sent = await sender.deliver('a@grey.test')
  for (const delayMs of [5000, 30_000, 2 * minuteMs, 10 * minuteMs, 60 * minuteMs]) await world.pass(delayMs)
  assert.equal((await sender.email(sent.id)).status, 'delivered')
  assert.equal(begun.size, 1)
})

test('a delivery that an operator runs again weeks later has a return address that is still valid', async () => {
  const { app, clock } = world.posthorn
  let isFull = true
  const host = await world.script('127.0.2.3', (verb) => (verb === 'RCPT' && isFull ? '452 4.3.1 Full\r\n' : undefined))
  world.domainAt('full.test', '127.0.2.3')
  const sent = await sender.deliver('a@full.test')
  const id = await world.deliveryOf(sent.id)
  await discardJob(app, id)
  clock.advance(20 * dayMs)
  isFull = false
  await retryJob(app, id)
  await world.runDueJobs()
  assert.deepEqual((await sender.story(sent.id)).slice(-2), ['delivered', 'bounced'])
  const from = host.commands.findLast((line) => line.startsWith('MAIL'))!
  const address = /<(.+)>/.exec(from)![1]!
  const validUntil = new Date(clock.now().getTime() + 7 * dayMs)
  assert.equal(readReturnAddress(app.keyring, address, validUntil)?.emailId, sent.id)
})
