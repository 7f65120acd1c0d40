import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from './fixtures/world.ts'

const world = await createWorld()
const sender = await world.sender()

async function isSuppressed(address: string): Promise<boolean> {
  const { data } = (await sender.team.api.get('/v1/suppressions')).body as { data: { email: string }[] }
  return data.some(({ email }) => email === address)
}

/** Returns the bounce of an email that has one. */
async function bounceOf(id: string) {
  const bounced = (await sender.events(id)).find(({ type }) => type === 'bounced')
  return { ...bounced!.data.bounce, ...bounced!.data.bounce.bouncedRecipients[0] }
}

test('an email that no address of a host takes is delayed with what one of them said', async () => {
  await world.script('127.0.5.40', (verb) =>
    verb === 'CONNECT' ? '421 4.7.0 Too many from your address\r\n' : undefined,
  )
  // No server listens on 127.0.5.41.
  world.domainAt('half-open.test', '127.0.5.40', '127.0.5.41')
  const sent = await sender.deliver('a@half-open.test')
  const delay = (await sender.events(sent.id)).at(-1)!.data.deliveryDelay
  assert.equal(delay.remoteMtaIp, '127.0.5.40')
  const [recipient] = delay.delayedRecipients
  assert.equal(recipient!.status, '4.7.0')
  assert.match(recipient!.diagnosticCode, /421 4\.7\.0 Too many from your address/)
})

test('a recipient that the host refuses bounces with its answer, and the others get the email', async () => {
  const refuseNobody = (verb: string, _socket: unknown, line: string) =>
    verb === 'RCPT' && line.includes('nobody@') ? '550 5.1.1 No such user here\r\n' : undefined
  const host = await world.script('127.0.1.2', refuseNobody)
  world.domainAt('partial.test', '127.0.1.2')
  const sent = await sender.deliver('a@partial.test', 'nobody@partial.test')
  assert.equal(host.texts.length, 1)
  assert.deepEqual(await sender.story(sent.id), ['sent', 'delivered', 'bounced', 'bounced'])
  const bounce = await bounceOf(sent.id)
  assert.equal(bounce.bounceType, 'Permanent')
  assert.equal(bounce.emailAddress, 'nobody@partial.test')
  assert.equal(bounce.status, '5.1.1')
  assert.equal(bounce.diagnosticCode, 'smtp; 550 5.1.1 No such user here')
  assert.equal(bounce.remoteMta, 'mx0.partial.test')
  assert.ok(await isSuppressed('nobody@partial.test'))
  assert.ok(!(await isSuppressed('a@partial.test')))
})

test('a refusal that is cut off within a character bounces, and the others get the email once', async () => {
  const isRefused = (verb: string, line: string) => verb === 'RCPT' && line.includes('nobody@')
  const long = `550 5.1.1 ${'x'.repeat(989)}😀\r\n`
  const host = await world.script('127.0.1.10', (verb, _socket, line) => (isRefused(verb, line) ? long : undefined))
  world.domainAt('talkative.test', '127.0.1.10')
  const sent = await sender.deliver('a@talkative.test', 'nobody@talkative.test')
  assert.deepEqual(await sender.story(sent.id), ['sent', 'delivered', 'bounced', 'bounced'])
  assert.match((await bounceOf(sent.id)).diagnosticCode, /xx\ufffd$/)
  await world.pass(60_000)
  assert.equal(host.texts.length, 1)
})

test('a refusal of the message or by a policy bounces and suppresses no address', async () => {
  await world.script('127.0.1.3', (verb) => (verb === 'END' ? '550 5.7.1 We do not like this text\r\n' : undefined))
  world.domainAt('picky.test', '127.0.1.3')
  const sent = await sender.deliver('a@picky.test')
  assert.deepEqual(await sender.story(sent.id), ['sent', 'bounced', 'bounced'])
  assert.match((await bounceOf(sent.id)).diagnosticCode, /550 5\.7\.1 We do not like this text/)
  assert.ok(!(await isSuppressed('a@picky.test')))
})

test('a reply without an enhanced code suppresses an address only if its words name no other reason', async () => {
  const replies: [address: string, reply: string, isBlamed: boolean][] = [
    ['listed', '550-rejected because 192.0.2.1 is in a black list at zen.spamhaus.org\r\n550 see the list', false],
    ['blocked', '550 permanent failure for one or more recipients (blocked@plain.test:blocked)', false],
    ['sender', '550-Verification failed for <hello@sender1.test>\r\n550 Sender verify failed', false],
    ['relay', '550 relay not permitted', false],
    ['junk', '550 JunkMail rejected - mail.example is in an RBL', false],
    ['spam', '550 <spam@plain.test>: we know nobody of this name', true],
    ['gone', '550 User unknown; see our policy', true],
    ['bare', '550', true],
  ]
  const reply = (verb: string, _socket: unknown, line: string) => {
    const found = replies.find(([address]) => line.includes(`<${address}@`))
    return verb === 'RCPT' && found ? `${found[1]}\r\n` : undefined
  }
  await world.script('127.0.1.9', reply)
  world.domainAt('plain.test', '127.0.1.9')
  for (const [name, said, isBlamed] of replies) {
    const sent = await sender.deliver(`${name}@plain.test`)
    assert.equal((await bounceOf(sent.id)).bounceType, isBlamed ? 'Permanent' : 'Transient', said)
    assert.equal(await isSuppressed(`${name}@plain.test`), isBlamed, said)
  }
})

test('mail to a domain with a null MX record bounces at once, and the address is suppressed', async () => {
  world.publish({ type: 'mx', name: 'null.test', value: '', priority: 0 })
  world.publish({ type: 'a', name: 'null.test', value: '127.0.1.4' })
  const sent = await sender.deliver('a@null.test')
  assert.deepEqual(await sender.story(sent.id), ['sent', 'bounced', 'bounced'])
  assert.equal((await bounceOf(sent.id)).status, '5.1.10')
  assert.ok(await isSuppressed('a@null.test'))
})

test('mail to a domain that does not exist bounces at once, and the address is suppressed', async () => {
  const sent = await sender.deliver('a@no-such-domain.test')
  assert.deepEqual(await sender.story(sent.id), ['sent', 'bounced', 'bounced'])
  assert.equal((await bounceOf(sent.id)).status, '5.1.2')
  assert.ok(await isSuppressed('a@no-such-domain.test'))
})

test('no connection is made to a mail host at a private address, and no event shows the address', async () => {
  const guarded = await createWorld({ OUTBOUND_ALLOW: '127.0.9.9' })
  const host = await guarded.script('127.0.1.5')
  guarded.domainAt('inside.test', '127.0.1.5')
  const customer = await guarded.sender()
  const sent = await customer.send('a@inside.test')
  await guarded.runDueJobs()
  assert.equal(host.connections, 0)
  assert.deepEqual(await customer.story(sent.id), ['sent', 'bounced', 'bounced'])
  const events = JSON.stringify(await customer.events(sent.id))
  assert.match(events, /no public address/)
  assert.doesNotMatch(events, /127\.0\./)
})

test('a recipient that is suppressed between two attempts gets nothing', async () => {
  const later = (verb: string) => (verb === 'RCPT' ? '451 4.7.1 later\r\n' : undefined)
  const host = await world.script('127.0.1.6', later)
  world.domainAt('waiting.test', '127.0.1.6')
  const sent = await sender.deliver('a@waiting.test', 'b@waiting.test')
  await sender.team.api.post('/v1/suppressions', { email: 'a@waiting.test' })
  const before = host.commands.length
  await world.pass(5000)
  assert.deepEqual(
    host.commands.slice(before).filter((line) => line.startsWith('RCPT')),
    ['RCPT TO:<b@waiting.test>'],
  )
  assert.equal((await bounceOf(sent.id)).diagnosticCode, 'The address is on the suppression list.')
})
