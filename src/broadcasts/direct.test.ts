import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { slowTest } from '../../test/slow.ts'
import { createWorld } from '../emails/providers/direct/fixtures/world.ts'
import { ask } from '../privacy/fixtures/ask.ts'
import { suppressErased } from '../suppressions/suppress-erased.ts'
import { setTeamLimits } from '../teams/set-plan.ts'
import { createAudience, readers, runFor, type TestContact } from './fixtures/audience.ts'

const world = await createWorld()
const { posthorn } = world

afterEach(() => world.dns.become('answering'))

type Sender = Awaited<ReturnType<typeof world.sender>>

/** Begins to send a broadcast to these contacts. */
async function broadcast({ team, domain }: Sender, contacts: TestContact[], topicId?: string) {
  const { segmentId, contactIds } = await createAudience(posthorn, team, contacts)
  if (topicId) await team.api.post(`/v1/topics/${topicId}/contacts`, { contactIds })
  const fields = {
    name: 'News',
    from: `a@${domain}`,
    segmentId,
    subject: 'News',
    text: 'x',
    ...(topicId && { topicId }),
  }
  const { id } = (await team.api.post('/v1/broadcasts', fields)).body
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/send`)).status, 200)
  const stats = async () => {
    const { total, sent, delivered, bounced, skipped } = (await team.api.get(`/v1/broadcasts/${id}/stats`)).body
    return { total, sent, delivered, bounced, skipped }
  }
  return { id, contactIds, stats }
}

/** Makes contacts at a domain of their own, whose host is a script. */
function readersAt(domain: string, count: number): TestContact[] {
  return readers(count).map(({ email }) => ({ email: email.replace('people.test', domain) }))
}

/** Sends a broadcast to three contacts whose domain cannot be found, so that their emails wait for its host. */
async function broadcastThatWaits(domain: string, address: string) {
  const sender = await world.sender()
  const { id: topicId } = (await sender.team.api.post('/v1/topics', { name: 'News' })).body
  const host = await world.script(address)
  world.domainAt(domain, address)
  world.dns.become('failing')
  const contacts = readersAt(domain, 3)
  const sent = await broadcast(sender, contacts, topicId)
  await posthorn.runDueJobs()
  /** Lets the domain be found, and returns the recipients that its host was told. */
  async function reached() {
    world.dns.become('answering')
    await runFor(posthorn, 20)
    return host.commands.filter((line) => line.startsWith('RCPT'))
  }
  return { ...sent, topicId, sender, api: sender.team.api, contacts, reached }
}

/** Limits the emails of a day, so that the broadcast is still sending when the limit is reached. */
function limit({ team }: Sender, dailyEmailLimit: number) {
  return posthorn.app.transaction((tx) => setTeamLimits(tx, team.id, { dailyEmailLimit }))
}

async function countedToday({ team }: Sender) {
  const usage = posthorn.app.db.selectFrom('email_usage').select('emails_today').where('team_id', '=', team.id)
  return (await usage.executeTakeFirstOrThrow()).emails_today
}

slowTest('cancelling a broadcast cancels the emails that wait for a host, and counts each once', async () => {
  const sender = await world.sender()
  await limit(sender, 2)
  const host = await world.script('127.0.6.2')
  world.domainAt('waiting.test', '127.0.6.2')
  world.dns.become('failing')
  const { id, stats } = await broadcast(sender, readersAt('waiting.test', 4))
  await posthorn.runDueJobs()
  assert.equal((await stats()).sent, 2)
  assert.equal(await countedToday(sender), 2)
  const { status, body } = await sender.team.api.post(`/v1/broadcasts/${id}/cancel`)
  assert.deepEqual([status, body.status], [200, 'sent'])
  const skipped = { unsubscribed: 0, suppressed: 0, notOptedIn: 0, cancelled: 4 }
  assert.deepEqual(await stats(), { total: 4, sent: 0, delivered: 0, bounced: 0, skipped })
  assert.equal(await countedToday(sender), 0)
  assert.equal((await sender.team.api.get('/v1/emails?status=cancelled')).body.total, 2)
  world.dns.become('answering')
  await runFor(posthorn, 20)
  assert.equal(host.connections, 0)
  assert.deepEqual((await stats()).skipped, skipped)
})

test('an email that a worker is delivering while its broadcast is cancelled counts as sent', async () => {
  const sender = await world.sender()
  await limit(sender, 1)
  const answered: (() => void)[] = []
  const asked = Promise.withResolvers<void>()
  const host = await world.script('127.0.6.3', (verb, socket) => {
    if (verb !== 'END') return undefined
    answered.push(() => socket.write('250 2.0.0 taken\r\n'))
    asked.resolve()
    return null
  })
  world.domainAt('busy.test', '127.0.6.3')
  const { id, stats } = await broadcast(sender, readersAt('busy.test', 3))
  const running = posthorn.runDueJobs()
  await asked.promise
  assert.equal((await sender.team.api.post(`/v1/broadcasts/${id}/cancel`)).status, 200)
  for (const answer of answered) answer()
  await running
  await runFor(posthorn, 5)
  assert.equal(host.texts.length, 1)
  const skipped = { unsubscribed: 0, suppressed: 0, notOptedIn: 0, cancelled: 2 }
  assert.deepEqual(await stats(), { total: 3, sent: 1, delivered: 1, bounced: 0, skipped })
  assert.equal(await countedToday(sender), 1)
})

test('an email that a killed process may have delivered is neither cancelled nor delivered again', async () => {
  for (const end of ['the broadcast is cancelled', 'the contact unsubscribes'] as const) {
    const sender = await world.sender()
    await limit(sender, 1)
    const isCancelled = end === 'the broadcast is cancelled'
    const [domain, address] = isCancelled ? ['killed.test', '127.0.6.9'] : ['killed-too.test', '127.0.6.10']
    const host = await world.script(address, (verb) => (verb === 'RCPT' ? '451 4.7.1 later\r\n' : undefined))
    world.domainAt(domain, address)
    world.dns.become('failing')
    const { id, contactIds, stats } = await broadcast(sender, readersAt(domain, 2))
    await posthorn.runDueJobs()
    // The process ends while it delivers the first email. The next one is asked to come again.
    const left = { lease_token: crypto.randomUUID(), run_at: posthorn.clock.now() }
    await posthorn.app.db
      .updateTable('jobs')
      .set(left)
      .where('team_id', '=', sender.team.id)
      .where('kind', '=', 'emails.deliver-to-domain')
      .execute()
    world.dns.become('answering')
    await runFor(posthorn, 10)
    const asked = () => host.commands.filter((line) => line.startsWith('RCPT')).length
    const before = asked()
    assert.ok(before > 0, end)
    if (isCancelled) await sender.team.api.post(`/v1/broadcasts/${id}/cancel`)
    else await sender.team.api.patch(`/v1/contacts/${contactIds[0]}`, { unsubscribed: true })
    await runFor(posthorn, 60)
    const { sent, skipped } = await stats()
    assert.deepEqual([sent, skipped.unsubscribed, skipped.cancelled], [1, 0, isCancelled ? 1 : undefined], end)
    assert.equal(await countedToday(sender), 1)
    if (!isCancelled) assert.equal(asked(), before)
  }
})

slowTest(
  'a contact that unsubscribes or is suppressed while its email waits for a host gets none and is skipped',
  async () => {
    const { id, sender, api, contacts, contactIds, stats, reached } = await broadcastThatWaits('left.test', '127.0.6.4')
    assert.equal((await api.patch(`/v1/contacts/${contactIds[0]}`, { unsubscribed: true })).status, 200)
    await api.post('/v1/suppressions', { email: contacts[1]!.email })
    assert.deepEqual(await reached(), [`RCPT TO:<${contacts[2]!.email}>`])
    const skipped = { unsubscribed: 1, suppressed: 1, notOptedIn: 0 }
    assert.deepEqual(await stats(), { total: 3, sent: 1, delivered: 1, bounced: 0, skipped })
    assert.equal((await api.get('/v1/emails?status=cancelled')).body.total, 2)
    assert.equal((await api.get(`/v1/broadcasts/${id}`)).body.status, 'sent')
    assert.equal(await countedToday(sender), 1)
  },
)

slowTest('a person who is erased while the email waits for a host takes no place of the day', async () => {
  const { id, sender, contacts, api } = await broadcastThatWaits('forgotten.test', '127.0.6.8')
  assert.equal(await countedToday(sender), 3)
  for (const _ of ['first', 'again']) {
    await ask(sender.team, { type: 'erase', email: contacts[0]!.email })
    await posthorn.runDueJobs()
    assert.equal(await countedToday(sender), 2)
  }
  assert.equal((await api.get('/v1/emails')).body.total, 2)
  await api.post(`/v1/broadcasts/${id}/cancel`)
  world.dns.become('answering')
})

slowTest(
  'a person whose erasure has begun while the email waits for a host gets none, and does not bounce',
  async () => {
    const { sender, contacts, stats, reached } = await broadcastThatWaits('erased.test', '127.0.6.7')
    await posthorn.app.transaction((tx) => suppressErased(tx, sender.team.id, contacts[0]!.email))
    assert.equal((await reached()).length, 2)
    const skipped = { unsubscribed: 0, suppressed: 1, notOptedIn: 0 }
    assert.deepEqual(await stats(), { total: 3, sent: 2, delivered: 2, bounced: 0, skipped })
  },
)

slowTest(
  'a contact that leaves the topic or is deleted while its email waits for a host gets none and is skipped',
  async () => {
    const { topicId, api, contacts, contactIds, stats, reached } = await broadcastThatWaits('gone.test', '127.0.6.5')
    assert.equal((await api.delete(`/v1/topics/${topicId}/contacts/${contactIds[0]}`)).status, 200)
    assert.equal((await api.delete(`/v1/contacts/${contactIds[1]}`)).status, 200)
    assert.deepEqual(await reached(), [`RCPT TO:<${contacts[2]!.email}>`])
    const skipped = { unsubscribed: 1, suppressed: 0, notOptedIn: 1 }
    assert.deepEqual(await stats(), { total: 3, sent: 1, delivered: 1, bounced: 0, skipped })
  },
)

slowTest('emails that wait for a host are cancelled when the topic of their broadcast is deleted', async () => {
  const { topicId, api, stats, reached } = await broadcastThatWaits('topicless.test', '127.0.6.6')
  assert.equal((await api.delete(`/v1/topics/${topicId}`)).status, 200)
  assert.deepEqual(await reached(), [])
  const skipped = { unsubscribed: 0, suppressed: 0, notOptedIn: 3 }
  assert.deepEqual(await stats(), { total: 3, sent: 0, delivered: 0, bounced: 0, skipped })
})
