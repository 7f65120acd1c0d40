// needs: waiting
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startDnsServer } from '../dns.ts'
import { startFaultyReceiver } from '../faulty-receiver.ts'
import { call, createWorkshop, type Email, email, until } from './installation.ts'

const workshop = await createWorkshop()
const emails = 5

test('after a kill while mail hosts are slow, each host gets its mail, twice only if its answer was lost', async () => {
  const silent = await startFaultyReceiver('127.0.0.2')
  const quick = await startFaultyReceiver('127.0.0.3', silent.port)
  for (const { close } of [silent, quick]) after(close)
  const dns = await startDnsServer()
  dns.publish([
    { type: 'a', name: 'silent.example', value: silent.host },
    { type: 'a', name: 'quick.example', value: quick.host },
  ])
  const { first, start, key } = await workshop.install({
    EMAIL_PROVIDER: 'direct',
    DNS_SERVERS: dns.address,
    DIRECT_SMTP_PORT: String(silent.port),
    OUTBOUND_ALLOW: '127.0.0.0/8',
  })
  silent.state.behaviour = 'hang after the dot'
  const bodies = Array.from({ length: emails }, (_, number) =>
    email(`direct ${number}`, { to: ['a@silent.example', 'b@quick.example'] }),
  )
  const accepted = await call(first, key, 'POST', '/v1/emails/batch', { emails: bodies })
  const ids = (accepted.body as { data: Email[] }).data.map(({ id }) => id)
  await until('both hosts to have the texts', () => {
    return silent.received.length === emails && quick.received.length === emails
  })
  await first.kill()
  silent.state.behaviour = 'take'
  const server = await start()
  const eventsOf = async (id: string) => (await call(server, key, 'GET', `/v1/emails/${id}/events`)).body as Email[]
  await until('all of them delivered to both', async () => {
    const stories = await Promise.all(ids.map(eventsOf))
    const delivered = stories.map((events) => events.filter((event) => 'type' in event && event.type === 'delivered'))
    return delivered.every((events) => events.length === 2)
  })
  const copies = (received: { messageId: string }[]) =>
    ids.map((id) => received.filter(({ messageId }) => messageId === `<${id}@sandbox.test>`).length)
  assert.deepEqual(copies(silent.received), Array(emails).fill(2), 'its answers were lost')
  // A kill between an answer and its record may repeat an email once.
  assert.ok(copies(quick.received).every((number) => number === 1 || number === 2))
})
