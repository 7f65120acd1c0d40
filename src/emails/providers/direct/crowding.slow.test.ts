import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../../test/patience.ts'
import { smtpProvider } from '../smtp.ts'
import { createWorld } from './fixtures/world.ts'

const world = await createWorld()
const sender = await world.sender()

/** Sends `count` emails to one address, in one request for each hundred. */
async function sendMany(to: string, count: number): Promise<string[]> {
  const email = { from: `hello@${sender.domain}`, to: [to], subject: 'Hello', text: 'Hello.' }
  const ids: string[] = []
  while (ids.length < count) {
    // Waits for the limit of emails per second.
    world.posthorn.clock.advance(1000)
    const emails = Array.from({ length: Math.min(100, count - ids.length) }, () => email)
    const { body } = await sender.team.api.post('/v1/emails/batch', { emails })
    ids.push(...body.data.map(({ id }: { id: string }) => id))
  }
  return ids
}

test('a slow host gets five connections and does not delay the mail of other domains', async () => {
  const greetings: (() => void)[] = []
  const tarpit = await world.script('127.0.4.2', (verb, socket) => {
    if (verb !== 'CONNECT') return undefined
    greetings.push(() => socket.write('220 at last\r\n'))
    return null
  })
  const quick = await world.script('127.0.4.3')
  world.domainAt('tarpit.test', '127.0.4.2')
  world.domainAt('quick.test', '127.0.4.3')
  const slow = await sendMany('a@tarpit.test', 150)
  await sender.send('a@quick.test')
  const running = world.runDueJobs()
  await until(() => tarpit.connections === 5)
  await until(() => {
    void world.runDueJobs()
    return quick.texts.length === 1
  })
  assert.equal(tarpit.connections, 5)
  for (const greet of greetings) greet()
  await running
  for (let minutes = 0; minutes < 60 && tarpit.texts.length < 150; minutes++) await world.pass(60_000)
  assert.equal(tarpit.texts.length, 150)
  assert.ok(tarpit.connections <= 10, `${tarpit.connections} connections for 150 messages`)
  assert.deepEqual(await sender.story(slow[0]!), ['sent', 'delivered', 'delivered'])
  assert.deepEqual(await sender.story(slow[149]!), ['sent', 'delivered', 'delivered'])
})

test('a host with a name for each domain keeps five connections at most', async () => {
  let [open, most] = [0, 0]
  const host = await world.script('127.0.4.7', (verb) => {
    if (verb === 'CONNECT') most = Math.max(most, ++open)
    if (verb === 'QUIT') open--
    return undefined
  })
  for (let domain = 0; domain < 12; domain++) {
    world.domainAt(`shop${domain}.test`, '127.0.4.7')
    await sender.send(`a@shop${domain}.test`)
    await world.runDueJobs()
  }
  assert.equal(host.texts.length, 12)
  assert.ok(most <= 5, `${most} connections at once`)
})

test('mail for a host that is down waits without a connection, and a single message tries the host again', async () => {
  world.domainAt('down.test', '127.0.4.4')
  const first = await sendMany('a@down.test', 3)
  await world.runDueJobs()
  const events = JSON.stringify(await sender.events(first[0]!))
  assert.match(events, /mx0\.down\.test \[127\.0\.4\.4\] could not be reached/)

  const host = await world.script('127.0.4.4', (verb) => (verb === 'CONNECT' ? '421 4.3.2 not yet\r\n' : undefined))
  const late = await sendMany('b@down.test', 20)
  await world.runDueJobs()
  await world.pass(5000)
  assert.equal(host.connections, 0)
  assert.deepEqual(await sender.story(late[0]!), ['sent', 'delivery_delayed', 'delayed'])
  await world.pass(25_000)
  assert.equal(host.connections, 1)
  await world.pass(30_000)
  assert.equal(host.connections, 1, 'it rests for longer')
  await world.pass(30_000)
  assert.equal(host.connections, 2)
  const stories = await Promise.all([...first, ...late].map(sender.story))
  const told = stories.flat().filter((type) => type === 'delivery_delayed')
  assert.equal(told.length, first.length + late.length + 2, 'that it waits is told once of each, and each trial')
})

test('mail goes to the less preferred host while the preferred one is down', async () => {
  world.domainAt('half.test', '127.0.4.4', '127.0.4.5')
  const backup = await world.script('127.0.4.5')
  await sendMany('a@half.test', 3)
  await world.runDueJobs()
  assert.equal(backup.texts.length, 3)
})

test('mail under way is delivered by the relay after the installation is switched to one', async () => {
  const { app } = world.posthorn
  const relay = await world.host('127.0.4.6')
  const sent = await sender.send('a@down.test')
  const direct = app.providers.email.live
  app.providers.email.live = smtpProvider({ url: `smtp://127.0.4.6:${world.port}`, localName: 'posthorn.test' })
  try {
    await world.pass(60_000)
    assert.ok(relay.messages.some(({ to }) => to[0] === 'a@down.test'))
    assert.equal((await sender.email(sent.id)).status, 'sent')
  } finally {
    await app.providers.email.live.close()
    app.providers.email.live = direct
  }
})
