import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startScriptedServer } from '../../src/emails/smtp-client/fixtures/scripted-server.ts'
import { startDnsServer } from '../dns.ts'
import { promptMs } from '../patience.ts'
import { type Installation, type Story, startInstallation } from './installation.ts'
import type { Peer, Place } from './peer.ts'

const rounds = 12

type Fate = { name: string; direct: Story; smtp: Story }
const bounced = (isSuppressed: boolean): Pick<Fate, 'direct' | 'smtp'> => ({
  direct: { status: 'bounced', events: ['sent', 'bounced'], isSuppressed },
  smtp: { status: 'bounced', events: ['bounced'], isSuppressed },
})
const returned: Story = { status: 'bounced', events: ['sent', 'bounced'], isSuppressed: true }

const fates: Fate[] = [
  {
    name: 'ada',
    direct: { status: 'delivered', events: ['sent', 'delivered'], isSuppressed: false },
    smtp: { status: 'sent', events: ['sent'], isSuppressed: false },
  },
  { name: 'nobody', ...bounced(true) },
  { name: 'spam', ...bounced(false) },
  {
    name: 'later',
    direct: { status: 'delayed', events: ['sent', 'delivery_delayed'], isSuppressed: false },
    smtp: { status: 'delayed', events: ['delivery_delayed'], isSuppressed: false },
  },
  { name: 'gone', smtp: returned, direct: { ...returned, events: ['sent', 'delivered', 'bounced'] } },
]

/**
 * Declares the tests of a real mail server: what it answers and returns leads to the same events with `direct` and
 * `smtp`.
 */
export async function checkPeer(
  address: string,
  domain: string,
  start: (place: Place) => Promise<Peer>,
): Promise<void> {
  const dns = await startDnsServer()
  const port = await reservePort()
  dns.publish([
    { type: 'mx', name: domain, value: `mx.${domain}`, priority: 10 },
    { type: 'a', name: `mx.${domain}`, value: address },
  ])
  const relay = { EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: `smtp://${address}:${port}?tls=none` }
  const toHosts = { EMAIL_PROVIDER: 'direct', DNS_SERVERS: dns.address, DIRECT_SMTP_PORT: String(port) }
  const direct = await startInstallation('direct', { ...toHosts, INBOUND_SMTP_PORT: '0' })
  const smtp = await startInstallation('relayed', { ...relay, INBOUND_SMTP_PORT: '0' })
  const together = await startInstallation('together', relay)
  const returns = Object.fromEntries([direct, smtp].map(({ returnPath, inboundPort }) => [returnPath, inboundPort!]))
  const next = await startScriptedServer((verb) => (verb === 'RCPT' ? '550 5.1.1 no such mailbox here\r\n' : undefined))
  after(() => next[Symbol.asyncDispose]())
  const peer = await start({ address, port, returns, nextPort: next.port })
  after(() => peer.stop())

  async function checkAll(installation: Installation, way: 'direct' | 'smtp') {
    const before = peer.kept().length
    const recipients = Array.from({ length: rounds }, (_, round) =>
      fates.map((fate) => ({ fate, to: `${fate.name}.${installation.name}.${round}@${domain}` })),
    ).flat()
    const sent = await Promise.all(recipients.map(async (one) => ({ ...one, id: await installation.send(one.to) })))
    for (const { fate, to, id } of sent) {
      const wanted = fate[way]
      const told = await installation.until(
        id,
        to,
        ({ status, events }) => status === wanted.status && events.length >= wanted.events.length,
      )
      // A greylisted email may have been tried again meanwhile, and a report may come before the answer is recorded.
      const events = [...new Set(told.events)].sort()
      assert.deepEqual(
        { ...told, events },
        { ...wanted, events: [...wanted.events].sort() },
        `${to}\n${peer.log().slice(-5000)}`,
      )
    }
    const ada = recipients.filter(({ fate }) => fate.name === 'ada').map(({ to }) => to)
    const kept = await keptBy(peer, before + ada.length)
    for (const to of ada) assert.equal(kept.filter((text) => text.includes(`This is for ${to}.`)).length, 1, to)
    assert.equal(kept.length - before, ada.length, 'a message that nobody sent arrived')
  }

  test('delivered directly, each email has the outcome that the host answers or returns', () =>
    checkAll(direct, 'direct'))
  test('sent by it as a relay, each email has the same outcome', () => checkAll(smtp, 'smtp'))

  test('in one transaction, each recipient has an outcome of its own', async () => {
    const before = peer.kept().length
    const emails = Array.from({ length: rounds }, (_, round) =>
      ['ada', 'nobody', 'later'].map((name) => `${name}.together.${round}@${domain}`),
    )
    const ids = await Promise.all(emails.map((to) => together.send(...to)))
    for (const [index, id] of ids.entries()) {
      const [, nobody] = emails[index]!
      const told = await together.until(id, nobody!, ({ status, events }) => status === 'bounced' && events.length >= 3)
      const events = [...new Set(told.events)].sort()
      const wanted = { status: 'bounced', events: ['bounced', 'delivery_delayed', 'sent'], isSuppressed: true }
      assert.deepEqual({ ...told, events }, wanted, peer.log().slice(-5000))
    }
    assert.equal((await keptBy(peer, before + rounds)).length - before, rounds)
  })
}

/**
 * Waits until the server has kept so many messages, which some deliver after they have answered. Returns all that it
 * has kept.
 */
async function keptBy(peer: Peer, count: number): Promise<string[]> {
  for (const untilMs = performance.now() + promptMs; performance.now() < untilMs; await sleep(100)) {
    if (peer.kept().length >= count) break
  }
  return peer.kept()
}

/** Finds a port that all hosts use, because MX records name none. It stays taken on another address. */
async function reservePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.99')
  await once(server, 'listening')
  after(() => server.close())
  return (server.address() as AddressInfo).port
}
