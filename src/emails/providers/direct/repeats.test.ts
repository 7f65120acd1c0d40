import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../../test/patience.ts'
import { slowTest } from '../../../../test/slow.ts'
import { discardJob, retryJob } from '../../../platform/jobs/discarded/retry.ts'
import { createWorld } from './fixtures/world.ts'

const world = await createWorld()
const sender = await world.sender()
const minuteMs = 60_000

/** Refuses temporarily the given number of times, and then answers as usual. */
function later(times: number, verb = 'RCPT') {
  let left = times
  return (at: string) => (at === verb && left-- > 0 ? '451 4.7.1 Greylisted, come again\r\n' : undefined)
}

test('a greylisting host is tried again within seconds, only for the deferred recipients', async () => {
  let first = true
  const greylist = (verb: string, _socket: unknown, line: string) => {
    if (verb !== 'RCPT' || !line.includes('slow@') || !first) return undefined
    first = false
    return '451 4.7.1 Greylisted, come again\r\n'
  }
  const host = await world.script('127.0.2.2', greylist)
  world.domainAt('grey.test', '127.0.2.2')
  const sent = await sender.deliver('fast@grey.test', 'slow@grey.test')
  assert.deepEqual(await sender.story(sent.id), ['sent', 'delivered', 'delivery_delayed', 'delivered'])
  const delay = (await sender.events(sent.id)).at(-1)!.data.deliveryDelay
  assert.deepEqual(delay.delayedRecipients, [
    { emailAddress: 'slow@grey.test', status: '4.7.1', diagnosticCode: 'smtp; 451 4.7.1 Greylisted, come again' },
  ])
  await world.pass(5000)
  const asked = host.commands.filter((line) => line.startsWith('RCPT')).map((line) => line.slice(9, -1))
  assert.deepEqual(asked, ['fast@grey.test', 'slow@grey.test', 'slow@grey.test'])
  assert.equal(host.texts.length, 2)
  assert.ok(host.texts[0]!.equals(host.texts[1]!), 'the same bytes')
  assert.deepEqual((await sender.story(sent.id)).slice(-2), ['delivered', 'delivered'])
})

test('recipients of a delivery that is discarded bounce, and get the email if it runs again', async () => {
  world.domainAt('lost.test', '127.0.2.9')
  const host = await world.script('127.0.2.9', later(1, 'MAIL'))
  const sent = await sender.deliver('a@lost.test', 'b@lost.test')
  assert.equal((await sender.email(sent.id)).status, 'delayed')
  const { app } = world.posthorn
  const id = await world.deliveryOf(sent.id)
  await discardJob(app, id)
  assert.deepEqual(await sender.story(sent.id), ['sent', 'delivery_delayed', 'bounced', 'bounced', 'bounced'])
  // The operator lets it run again.
  await retryJob(app, id)
  await world.runDueJobs()
  assert.equal(host.texts.length, 1)
  assert.deepEqual((await sender.story(sent.id)).slice(-2), ['delivered', 'bounced'])
})

slowTest(
  'a recipient that is deferred for a day bounces with the host’s last answer and is not suppressed',
  async () => {
    const host = await world.script('127.0.2.3', later(1000, 'MAIL'))
    world.domainAt('never.test', '127.0.2.3')
    const sent = await sender.deliver('a@never.test')
    assert.equal((await sender.email(sent.id)).status, 'delayed')
    for (const delayMs of [5000, 30_000, 2 * minuteMs, 10 * minuteMs]) await world.pass(delayMs)
    assert.equal(host.commands.filter((line) => line.startsWith('MAIL')).length, 5)
    for (let hour = 0; hour < 24; hour++) await world.pass(60 * minuteMs)
    const story = await sender.story(sent.id)
    assert.deepEqual(story.slice(-2), ['bounced', 'bounced'])
    const { bounce } = (await sender.events(sent.id)).at(-1)!.data
    assert.match(bounce.bouncedRecipients[0].diagnosticCode, /24 hours: smtp; 451 4\.7\.1 Greylisted/)
    const asked = host.commands.length
    await world.pass(60 * minuteMs)
    assert.equal(host.commands.length, asked, 'nothing is tried any more')
    assert.equal((await sender.send('a@never.test')).status, 'sent')
  },
)

test('a host that says 421 or closes early is tried again, and the email arrives once', async () => {
  let visits = 0
  const moody = (verb: string, socket: { destroy(): void }) => {
    if (verb === 'CONNECT' && ++visits === 1) return '421 4.3.2 Shutting down\r\n'
    if (verb === 'DATA' && visits === 2) {
      socket.destroy()
      return null
    }
    return undefined
  }
  const host = await world.script('127.0.2.4', moody)
  world.domainAt('moody.test', '127.0.2.4')
  const sent = await sender.deliver('a@moody.test')
  await world.pass(5000)
  await world.pass(30_000)
  assert.equal(host.texts.length, 1)
  assert.deepEqual(await sender.story(sent.id), [
    'sent',
    'delivery_delayed',
    'delivery_delayed',
    'delivered',
    'delivered',
  ])
  const words = JSON.stringify((await sender.events(sent.id))[1]!.data)
  assert.match(words, /mx0\.moody\.test \[127\.0\.2\.4\].*421 4\.3\.2 Shutting down/)
})

test('a connection lost after the final dot is recorded as unknown, and the same bytes are sent again later', async () => {
  let cut = true
  const host = await world.script('127.0.2.5', (verb, socket) => {
    if (verb !== 'END' || !cut) return undefined
    cut = false
    socket.destroy()
    return null
  })
  world.domainAt('cutting.test', '127.0.2.5')
  const sent = await sender.deliver('a@cutting.test')
  assert.deepEqual(await sender.story(sent.id), ['sent', 'outcome_unknown', 'sent'])
  await world.pass(minuteMs)
  assert.equal(host.texts.length, 1)
  await world.pass(9 * minuteMs)
  assert.equal(host.texts.length, 2)
  assert.ok(host.texts[0]!.equals(host.texts[1]!))
  assert.deepEqual(await sender.story(sent.id), ['sent', 'outcome_unknown', 'delivered', 'delivered'])
})

test('a host that loses every answer gets at most three copies, and the email is not said to have bounced', async () => {
  const host = await world.script('127.0.2.6', (verb, socket) => {
    if (verb !== 'END') return undefined
    socket.destroy()
    return null
  })
  world.domainAt('always-cutting.test', '127.0.2.6')
  const sent = await sender.deliver('a@always-cutting.test')
  for (let hour = 0; hour < 8; hour++) await world.pass(60 * minuteMs)
  assert.equal(host.texts.length, 3)
  assert.deepEqual(await sender.story(sent.id), [
    'sent',
    'outcome_unknown',
    'outcome_unknown',
    'outcome_unknown',
    'sent',
  ])
})

test('a recipient whose answer was lost is not said to have bounced when the host takes nothing more', async () => {
  const host = await world.script('127.0.2.11', (verb, socket, line) => {
    if (line.includes('later@')) return '451 4.2.1 Not now\r\n'
    if (host.texts.length === 1 && verb === 'MAIL') return '451 4.3.1 Full\r\n'
    if (verb !== 'END') return undefined
    socket.destroy()
    return null
  })
  world.domainAt('full.test', '127.0.2.11')
  const sent = await sender.deliver('a@full.test', 'later@full.test')
  assert.deepEqual(await sender.story(sent.id), ['sent', 'outcome_unknown', 'delivery_delayed', 'delayed'])
  for (let hour = 0; hour < 26; hour++) await world.pass(60 * minuteMs)
  assert.equal(host.texts.length, 1)
  const bounced = (await sender.events(sent.id)).filter(({ type }) => type === 'bounced')
  const addresses = bounced.flatMap(({ data }) => data.bounce.bouncedRecipients.map((to) => to.emailAddress))
  assert.deepEqual(addresses, ['later@full.test'])
})

test('a process that was stopped past its lease records nothing, and the next one delivers the same message', async () => {
  let answer = () => {}
  const asked = Promise.withResolvers<void>()
  const host = await world.script('127.0.2.10', (verb, socket) => {
    if (verb !== 'END' || host.texts.length > 1) return undefined
    answer = () => socket.write('250 2.0.0 taken\r\n')
    asked.resolve()
    return null
  })
  world.domainAt('sleepy.test', '127.0.2.10')
  const sent = await sender.send('a@sleepy.test')
  const running = world.runDueJobs()
  await asked.promise
  await world.posthorn.app.transaction(({ db, now, newId }) =>
    db
      .updateTable('jobs')
      .set({ lease_token: newId(), run_at: now })
      .where('kind', '=', 'emails.deliver-to-domain')
      .where('key', '=', `${sent.id}/0`)
      .execute(),
  )
  answer()
  await running
  assert.ok(host.texts.length === 2 && host.texts[0]!.equals(host.texts[1]!))
  assert.deepEqual(await sender.story(sent.id), ['sent', 'delivered', 'delivered'])
})

test('mail waits while DNS does not answer', async () => {
  const host = await world.script('127.0.2.7')
  world.domainAt('unanswered.test', '127.0.2.7')
  world.dns.become('failing')
  const sent = await sender.deliver('a@unanswered.test')
  assert.deepEqual(await sender.story(sent.id), ['sent', 'delivery_delayed', 'delayed'])
  assert.match(JSON.stringify((await sender.events(sent.id)).at(-1)), /4\.4\.3.*DNS did not say/)
  assert.equal((await sender.team.api.delete(`/v1/domains/${sender.domainId}`)).status, 409)
  world.dns.become('answering')
  await world.pass(5000)
  assert.equal(host.texts.length, 1)
  assert.equal((await sender.email(sent.id)).status, 'delivered')
})

slowTest('a silent name server delays other mail for at most two seconds', async () => {
  const host = await world.script('127.0.2.9')
  world.domainAt('silent.test', '127.0.2.9')
  const sent = await sender.send('a@silent.test')
  const { asked, release } = world.dns.hold()
  const running = world.runDueJobs()
  await asked
  await running
  assert.deepEqual(await sender.story(sent.id), ['sent', 'sent'])
  release()
  // The answer comes through a real socket.
  await until(async () => {
    await world.pass(10_000)
    return host.texts.length > 0
  })
  assert.equal(host.texts.length, 1)
})

test('mail from a domain that is no longer verified waits until it is verified again', async () => {
  const other = await world.sender()
  const host = await world.script('127.0.2.8')
  world.domainAt('patient.test', '127.0.2.8')
  const sent = await other.send('a@patient.test')
  const setStatus = (status: 'failed' | 'verified') =>
    world.posthorn.app.transaction((tx) =>
      tx.db.updateTable('domains').set({ status }).where('id', '=', other.domainId).execute(),
    )
  await setStatus('failed')
  await world.runDueJobs()
  assert.equal(host.connections, 0)
  assert.match(JSON.stringify(await other.events(sent.id)), /not verified any more/)
  await setStatus('verified')
  await world.pass(5000)
  assert.equal(host.texts.length, 1)
})
