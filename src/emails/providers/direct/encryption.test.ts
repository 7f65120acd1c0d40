import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { pluck } from '../../../../test/pluck.ts'
import { slowTest } from '../../../../test/slow.ts'
import { CERTIFICATE } from '../../smtp-client/fixtures/real-server.ts'
import { createWorld } from './fixtures/world.ts'

const world = await createWorld()
const hourMs = 3_600_000

async function enforcing() {
  const sender = await world.sender()
  await sender.team.api.patch(`/v1/domains/${sender.domainId}`, { tls: 'enforced' })
  return sender
}

test('opportunistic TLS is used if the host offers it, with any certificate', async () => {
  const sender = await world.sender()
  const host = await world.host('127.0.3.2')
  world.domainAt('selfsigned.test', '127.0.3.2')
  await sender.deliver('a@selfsigned.test')
  assert.deepEqual(pluck(host.messages, 'secure'), [true])
})

test('if TLS is offered and fails, the message is sent over a new connection in plain text', async () => {
  const sender = await world.sender()
  const host = await world.script('127.0.3.3', (verb) => {
    if (verb === 'EHLO') return '250-host\r\n250-STARTTLS\r\n250 PIPELINING\r\n'
    return verb === 'STARTTLS' ? '454 4.7.0 TLS not available\r\n' : undefined
  })
  const broken = await world.script('127.0.3.4', (verb, socket) => {
    if (verb === 'EHLO') return '250-host\r\n250-STARTTLS\r\n250 PIPELINING\r\n'
    if (verb !== 'STARTTLS') return undefined
    socket.end('220 go ahead\r\n')
    return null
  })
  world.domainAt('refusing-tls.test', '127.0.3.3')
  world.domainAt('broken-tls.test', '127.0.3.4')
  await sender.deliver('a@refusing-tls.test', 'b@broken-tls.test')
  assert.equal(host.texts.length, 1)
  assert.equal(broken.texts.length, 1)
  assert.equal(broken.connections, 2)
})

slowTest(
  'with enforced TLS, a host without TLS gets nothing, and the email bounces for that reason after a day',
  async () => {
    const sender = await enforcing()
    const host = await world.script('127.0.3.5')
    world.domainAt('no-tls.test', '127.0.3.5')
    const sent = await sender.deliver('a@no-tls.test')
    assert.deepEqual(await sender.story(sent.id), ['sent', 'delivery_delayed', 'delayed'])
    assert.match(JSON.stringify(await sender.events(sent.id)), /4\.7\.10.*does not offer STARTTLS/)
    for (let hours = 0; hours <= 25; hours++) await world.pass(hourMs)
    assert.equal(host.texts.length, 0)
    const { data } = (await sender.events(sent.id)).at(-1)!
    assert.equal(data.bounce.bouncedRecipients[0].status, '5.7.10')
    assert.equal((await sender.email(sent.id)).status, 'bounced')
  },
)

test('with enforced TLS, the certificate must be valid for the MX host’s name', async () => {
  const sender = await enforcing()
  const host = await world.host('127.0.3.6')
  // The receiving hosts have the certificate of localhost.
  world.publish(
    { type: 'mx', name: 'valid.test', value: 'localhost', priority: 10 },
    { type: 'a', name: 'localhost', value: '127.0.3.6' },
  )
  world.domainAt('invalid.test', '127.0.3.6')
  const wellKnown = getCACertificates('default')
  setDefaultCACertificates([...wellKnown, CERTIFICATE])
  try {
    const valid = await sender.send('a@valid.test')
    const invalid = await sender.deliver('a@invalid.test')
    assert.deepEqual(
      host.messages.map(({ to, secure }) => [to[0], secure]),
      [['a@valid.test', true]],
    )
    assert.equal((await sender.email(valid.id)).status, 'delivered')
    assert.match(JSON.stringify(await sender.events(invalid.id)), /4\.7\.10.*mx0\.invalid\.test/)
  } finally {
    setDefaultCACertificates(wellKnown)
  }
})

test('enforced TLS of one customer does not delay the mail of others', async () => {
  const [strict, easy] = [await enforcing(), await world.sender()]
  const host = await world.script('127.0.3.7')
  world.domainAt('shared.test', '127.0.3.7')
  for (let sent = 0; sent < 5; sent++) await strict.send('a@shared.test')
  await world.runDueJobs()
  await easy.deliver('a@shared.test')
  assert.equal(host.texts.length, 1)
})
