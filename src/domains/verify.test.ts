import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import { type PublishedRecord, startDnsServer } from '../../test/dns.ts'
import { verifyDomain } from './verify.ts'

const dns = await startDnsServer()
const posthorn = await createTestApp({ DNS_SERVERS: dns.address, PUBLIC_URL: 'https://mail.example.com' })
const { clock } = posthorn
const team = await posthorn.team()

const hourMs = 3_600_000
let domains = 0

/** Tells whether the due jobs query DNS. */
async function isLookedFor(): Promise<boolean> {
  const before = dns.questions()
  await posthorn.runDueJobs()
  return dns.questions() > before
}

async function newDomain(of: TestTeam = team, name = `shop${++domains}.com`) {
  const { body } = await of.api.post('/v1/domains', { name })
  const path = `/v1/domains/${body.id}`
  return {
    ...{ id: body.id as string, path, records: body.records as PublishedRecord[] },
    verify: () => of.api.post(`${path}/verify`),
    read: async () => (await of.api.get(path)).body,
  }
}

type Answer = { status: string; records: { status: string }[] }

function statuses({ status, records }: Answer): string[] {
  return [status, ...records.map((record) => record.status)]
}

test('published records verify a domain', async () => {
  const domain = await newDomain()
  dns.publish(domain.records)
  clock.advance(1000)
  const { status, body } = await domain.verify()
  assert.equal(status, 200)
  assert.deepEqual(statuses(body), ['verified', 'verified', 'verified', 'verified'])
  assert.equal(body.updatedAt, clock.now().toISOString())
  assert.deepEqual(await domain.read(), body)
  await team.api.delete(domain.path)
})

test('a domain is verified in the background when its missing records appear', async () => {
  const domain = await newDomain()
  dns.publish(domain.records.slice(0, 1))
  assert.deepEqual(statuses((await domain.verify()).body), ['pending', 'verified', 'pending', 'pending'])
  dns.publish(domain.records)
  assert(!(await isLookedFor()))
  clock.advance(60_000)
  assert(await isLookedFor())
  assert.deepEqual(statuses(await domain.read()), ['verified', 'verified', 'verified', 'verified'])
  clock.advance(21 * hourMs)
  assert(!(await isLookedFor()))
  await team.api.delete(domain.path)
})

test('a record missing 72 hours after the first check is failed and not looked up again', async () => {
  const domain = await newDomain()
  dns.publish([])
  await domain.verify()
  const begun = clock.now().getTime()
  for (const minutes of [1, 5, 15, 60, 60]) {
    clock.advance(minutes * 60_000 - 1)
    assert(!(await isLookedFor()), `before ${minutes}`)
    clock.advance(1)
    assert(await isLookedFor(), `after ${minutes}`)
  }
  clock.set(new Date(begun + 72 * hourMs - 1))
  await posthorn.runDueJobs()
  assert.deepEqual(statuses(await domain.read()), ['pending', 'pending', 'pending', 'pending'])
  await posthorn.runDueJobsAfter(1)
  assert.deepEqual(statuses(await domain.read()), ['failed', 'failed', 'failed', 'failed'])
  clock.advance(100 * hourMs)
  assert(!(await isLookedFor()))
  dns.publish(domain.records)
  assert.equal((await domain.verify()).body.status, 'verified')
})

test('a DNS that does not answer is a temporary failure that is tried again', async () => {
  const domain = await newDomain()
  dns.publish(domain.records)
  dns.become('failing')
  assert.deepEqual(statuses((await domain.verify()).body), ['temporary_failure', 'pending', 'pending', 'pending'])
  dns.become('answering')
  await posthorn.runDueJobsAfter(60_000)
  assert.equal((await domain.read()).status, 'verified')
})

test('a verified domain stays verified while DNS is silent, and not when its key is gone', async () => {
  const domain = await newDomain()
  dns.publish(domain.records)
  await domain.verify()
  dns.become('failing')
  assert.deepEqual(statuses((await domain.verify()).body), ['verified', 'verified', 'verified', 'verified'])
  dns.become('answering')
  dns.publish(domain.records.slice(1))
  assert.deepEqual(statuses((await domain.verify()).body), ['pending', 'pending', 'verified', 'verified'])
  await team.api.delete(domain.path)
})

test('a slow check does not overwrite a later one', async () => {
  const domain = await newDomain()
  dns.publish([])
  const held = dns.hold()
  const slow = domain.verify()
  await held.asked
  const other = await startDnsServer()
  other.publish(domain.records)
  // The first server has not answered yet, so the later check asks another one.
  const app = { ...posthorn.app, config: { ...posthorn.app.config, dnsServers: [other.address] } }
  assert.equal((await verifyDomain(app, team.id, domain.id)).status, 'verified')
  held.release()
  assert.equal((await slow).body.status, 'verified')
  assert.equal((await domain.read()).status, 'verified')
})

test('only one of several teams verifies a name', async () => {
  const other = await posthorn.team()
  const [ours, theirs] = [await newDomain(team, 'contested.com'), await newDomain(other, 'contested.com')]
  // The test app gives every domain the same key, so both teams have the same records.
  dns.publish(ours.records)
  const answers = await Promise.all([ours.verify(), theirs.verify()])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const [winner, loser] = answers[0]!.status === 200 ? [ours, theirs] : [theirs, ours]
  assert.equal((await winner.read()).status, 'verified')
  assert.deepEqual(statuses(await loser.read()), ['failed', 'verified', 'verified', 'verified'])
  clock.advance(hourMs)
  assert(!(await isLookedFor()))
  await (winner === ours ? team : other).api.delete(winner.path)
  assert.equal((await loser.verify()).body.status, 'verified')
})

test('reserved names are verified at once', async () => {
  dns.become('failing')
  for (const name of ['a.test', 'b.example', 'c.invalid', 'd.localhost']) {
    const domain = await newDomain(team, name)
    assert.deepEqual(statuses((await domain.verify()).body), ['verified', 'verified', 'verified', 'verified'])
  }
  dns.become('answering')
})

test('a domain that is deleted during its check is not found', async () => {
  const domain = await newDomain()
  dns.publish(domain.records)
  const held = dns.hold()
  const checking = domain.verify()
  await held.asked
  assert.equal((await team.api.delete(domain.path)).status, 200)
  held.release()
  assert.equal((await checking).status, 404)
  assert.equal((await domain.verify()).status, 404)
})
