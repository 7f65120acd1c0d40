import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authenticate } from 'mailauth'
import { pluck } from '../../../../test/pluck.ts'
import { slowTest } from '../../../../test/slow.ts'
import { createWorld } from './fixtures/world.ts'

const world = await createWorld()
const sender = await world.sender()

test('an email is delivered to a mail host of each recipient’s domain, and the request waits for none of them', async () => {
  const left = await world.host('127.0.0.2')
  const right = await world.host('127.0.0.3')
  world.domainAt('left.test', '127.0.0.2')
  world.domainAt('right.test', '127.0.0.3')
  const sent = await sender.send('a@left.test', 'b@right.test', 'c@LEFT.test')
  assert.equal(sent.status, 'sent')
  assert.equal(left.messages.length + right.messages.length, 0)
  await world.runDueJobs()
  assert.deepEqual(pluck(left.messages, 'to'), [['a@left.test', 'c@LEFT.test']])
  assert.deepEqual(pluck(right.messages, 'to'), [['b@right.test']])
  assert.ok(left.messages[0]!.raw.equals(right.messages[0]!.raw), 'both got the same bytes')
  assert.deepEqual(await sender.story(sent.id), ['sent', 'delivered', 'delivered', 'delivered'])
  const delivered = (await sender.events(sent.id)).map(({ data }) => data.delivery).filter(Boolean)
  const ofLeft = delivered.find(({ recipients }) => recipients.includes('a@left.test'))!
  assert.equal(ofLeft.remoteMta, 'mx0.left.test')
  assert.equal(ofLeft.remoteMtaIp, '127.0.0.2')
  assert.match(ofLeft.smtpResponse, /^250 /)
})

test('a delivered message passes SPF, DKIM and DMARC with the records that the domain was asked to publish', async () => {
  const host = await world.host('127.0.0.4')
  world.domainAt('strict.test', '127.0.0.4')
  await sender.deliver('a@strict.test')
  const message = host.messages[0]!
  const { records } = (await sender.team.api.get(`/v1/domains/${sender.domainId}`)).body
  const published = [
    ...records,
    { type: 'txt', name: `_dmarc.${sender.domain}`, value: 'v=DMARC1; p=reject' },
    { type: 'a', name: 'mta.posthorn.test', value: '127.0.0.1' },
  ]
  const resolver = async (name: string, type: string) => {
    const found = published.filter((record) => record.name === name && record.type === type.toLowerCase())
    if (found.length === 0) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    return found.map(({ value }) => (type === 'TXT' ? [value] : value))
  }
  const result = await authenticate(message.raw, {
    resolver,
    ip: '127.0.0.1',
    helo: 'mta.posthorn.test',
    sender: message.from,
    trustReceived: false,
    disableArc: true,
    disableBimi: true,
  })
  assert.equal(result.dkim.results[0]?.status.result, 'pass')
  const { spf, dmarc } = result
  assert.equal(spf !== false && spf.status.result, 'pass')
  assert.equal(dmarc !== false && dmarc.status.result, 'pass')
})

test('hosts are tried in the order of preference, and the next one is tried if no connection can be made', async () => {
  const backup = await world.host('127.0.0.6')
  // No server listens on 127.0.0.5.
  world.domainAt('backed-up.test', '127.0.0.5', '127.0.0.6')
  const sent = await sender.deliver('a@backed-up.test')
  assert.equal(backup.messages.length, 1)
  assert.deepEqual(await sender.story(sent.id), ['sent', 'delivered', 'delivered'])
})

test('a less preferred host is not tried while the preferred one gives any answer', async () => {
  const greylisting = await world.script('127.0.0.7', (verb) => (verb === 'RCPT' ? '451 4.7.1 later\r\n' : undefined))
  const backup = await world.host('127.0.0.8')
  world.domainAt('preferring.test', '127.0.0.7', '127.0.0.8')
  await sender.deliver('a@preferring.test')
  assert.equal(greylisting.connections, 1)
  assert.equal(backup.messages.length, 0)
})

slowTest('hosts of equal preference take turns', async () => {
  const hosts = [await world.host('127.0.0.9'), await world.host('127.0.0.10')]
  for (const [index, address] of ['127.0.0.9', '127.0.0.10'].entries()) {
    world.publish({ type: 'mx', name: 'twins.test', value: `mx${index}.twins.test`, priority: 10 })
    world.publish({ type: 'a', name: `mx${index}.twins.test`, value: address })
  }
  for (let sent = 0; sent < 4; sent++) {
    await sender.deliver('a@twins.test')
  }
  assert.deepEqual(
    hosts.map(({ messages }) => messages.length),
    [2, 2],
  )
})

test('a domain without an MX record is its own mail host', async () => {
  const host = await world.host('127.0.0.11')
  world.publish({ type: 'a', name: 'plain.test', value: '127.0.0.11' })
  const sent = await sender.deliver('a@plain.test')
  assert.equal(host.messages.length, 1)
  assert.equal((await sender.email(sent.id)).status, 'delivered')
})

test('scheduled mail is delivered in the same way, and can be neither cancelled nor rescheduled under way', async () => {
  world.domainAt('later.test', '127.0.0.14')
  const scheduledAt = new Date(world.posthorn.clock.now().getTime() + 60_000).toISOString()
  const body = { from: `hello@${sender.domain}`, to: ['a@later.test'], subject: 'Later', text: 'Later.', scheduledAt }
  const { id } = (await sender.team.api.post('/v1/emails', body)).body
  await world.pass(60_000)
  assert.deepEqual(await sender.story(id), ['sent', 'delivery_delayed', 'delayed'])
  assert.equal((await sender.team.api.post(`/v1/emails/${id}/cancel`)).status, 409)
  const later = new Date(world.posthorn.clock.now().getTime() + 60_000).toISOString()
  assert.equal((await sender.team.api.patch(`/v1/emails/${id}`, { scheduledAt: later })).status, 409)
})

test('a domain cannot be deleted while one of its emails is under way', async () => {
  const other = await world.sender()
  await world.host('127.0.0.12')
  world.domainAt('quick.test', '127.0.0.12')
  world.domainAt('down.test', '127.0.0.13')
  await other.deliver('a@quick.test', 'b@down.test')
  assert.equal((await other.team.api.delete(`/v1/domains/${other.domainId}`)).status, 409)
  await world.script('127.0.0.13')
  for (const minutes of [1, 16, 16]) await world.pass(minutes * 60_000)
  assert.equal((await other.team.api.delete(`/v1/domains/${other.domainId}`)).status, 200)
})
