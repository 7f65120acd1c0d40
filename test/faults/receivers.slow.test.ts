// needs: waiting
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Behaviour, type Received, startFaultyReceiver } from '../faulty-receiver.ts'
import { promptMs } from '../patience.ts'
import { pluck } from '../pluck.ts'
import { call, createWorkshop, type Email, email, until } from './installation.ts'

const workshop = await createWorkshop()
const emails = 6

/** Asserts that every email arrived, its copies with one Message-ID, and that only a lost answer made a second copy. */
function count(received: Received[], ids: string[], lostAnswersMax: number): void {
  const copies = ids.map((id) => received.filter(({ messageId }) => messageId === `<${id}@sandbox.test>`).length)
  assert.ok(
    copies.every((number) => number >= 1),
    `lost: ${copies}`,
  )
  const repeats = copies.reduce((sum, number) => sum + number - 1, 0)
  assert.ok(repeats <= lostAnswersMax, `${repeats} repeats, ${lostAnswersMax} answers lost`)
}

const faults: Behaviour[] = ['cut after the dot', 'hang after the dot', 'close with 421', 'drip', 'greylist']

/** Starts a relay for each test, so that tests run concurrently: each waits for a lease to expire. */
async function relayThat(behaviour: Behaviour) {
  const receiver = await startFaultyReceiver()
  after(receiver.close)
  receiver.state.behaviour = behaviour
  return { receiver, environment: { SMTP_RELAY_URL: `smtp://127.0.0.1:${receiver.port}` } }
}

suite('a relay at fault, and a process killed meanwhile: all mail arrives, repeats only where an answer was lost', {
  concurrency: faults.length,
}, () => {
  for (const fault of faults) {
    test(fault, async () => {
      const { receiver, environment } = await relayThat(fault)
      const { first, start, key } = await workshop.install(environment)
      const scheduledAt = new Date(Date.now() + promptMs).toISOString()
      const bodies = Array.from({ length: emails }, (_, number) => email(`${fault} ${number}`, { scheduledAt }))
      const accepted = await call(first, key, 'POST', '/v1/emails/batch', { emails: bodies })
      const ids = (accepted.body as { data: Email[] }).data.map(({ id }) => id)
      await until('the relay to be asked', () => receiver.state.connections > 0)
      await sleep(2000)
      await first.kill()
      await until('the last of its words', () => receiver.open() === 0)
      const unanswered = receiver.received.filter(({ answered }) => !answered).length
      receiver.state.behaviour = 'take'
      const server = await start()
      await until('all of them sent', async () => {
        const sent = await call(server, key, 'GET', '/v1/emails?status=sent')
        return (sent.body as { total: number }).total === emails
      })
      count(receiver.received, ids, unanswered)
      await server.stop()
    })
  }
})

test('a relay that accepts some recipients delivers to them once, and the others bounce', async () => {
  const { receiver, environment } = await relayThat('take some recipients')
  const { first, key } = await workshop.install(environment)
  const sent = await call(
    first,
    key,
    'POST',
    '/v1/emails',
    email('some', { to: ['ada@example.com', 'refused@example.com'] }),
  )
  const { id } = sent.body as Email
  const events = (await call(first, key, 'GET', `/v1/emails/${id}/events`)).body as { type: string; data: object }[]
  assert.deepEqual(pluck(events, 'type'), ['bounced', 'sent'])
  assert.match(JSON.stringify(events[0]!.data), /550 5\.1\.1 nobody here/)
  assert.match(JSON.stringify(events[1]!.data), /250 2\.0\.0 taken/)
  assert.deepEqual(pluck(receiver.received, 'to'), [['ada@example.com']])
  await first.stop()
})

test('while a relay is down, mail sent at once and scheduled mail is delayed, and then each arrives once', async () => {
  const gone = await startFaultyReceiver()
  await gone.close()
  const { first, key } = await workshop.install({ SMTP_RELAY_URL: `smtp://127.0.0.1:${gone.port}` })
  const now = (await call(first, key, 'POST', '/v1/emails', email('at once'))).body as Email
  assert.equal(now.status, 'delayed')
  const scheduledAt = new Date(Date.now() + promptMs).toISOString()
  const later = (await call(first, key, 'POST', '/v1/emails', email('later', { scheduledAt }))).body as Email
  const typesOf = async ({ id }: Email) => {
    const events = await call(first, key, 'GET', `/v1/emails/${id}/events`)
    return (events.body as { type: string }[]).map(({ type }) => type)
  }
  await until('the delay in its events', async () => (await typesOf(later)).includes('delivery_delayed'))
  const back = await startFaultyReceiver('127.0.0.1', gone.port)
  after(back.close)
  for (const each of [now, later]) await until('its status', async () => (await typesOf(each))[0] === 'sent')
  assert.equal(back.received.length, 2)
  await first.stop()
})
