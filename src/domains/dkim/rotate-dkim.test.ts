import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { createTestApp, ok, type TestTeam } from '../../../test/app.ts'
import { type PublishedRecord, startDnsServer } from '../../../test/dns.ts'
import { generateDkimKeys } from './dkim-keys.ts'

const dns = await startDnsServer()
const posthorn = await createTestApp(
  { DNS_SERVERS: dns.address, PUBLIC_URL: 'https://mail.example.com' },
  { generateDkimKeys },
)
const { clock } = posthorn
const team = await posthorn.team()
const hourMs = 3_600_000

async function verifiedDomain(of: TestTeam, name: string) {
  const { body } = await of.api.post('/v1/domains', { name })
  const path = `/v1/domains/${body.id}`
  dns.publish(body.records)
  await of.api.post(`${path}/verify`)
  return {
    path,
    records: body.records as PublishedRecord[],
    rotate: () => of.api.post(`${path}/rotate-dkim`),
    verify: () => of.api.post(`${path}/verify`),
    dkim: async () => dkimOf((await of.api.get(path)).body),
    sentWith: () => selectorOfMail(of, name),
  }
}

type Domain = { status: string; records: (PublishedRecord & { status: string })[] }

/** Returns the status of the domain, and of its DKIM records by selector. */
function dkimOf({ status, records }: Domain): string[] {
  const keys = records.filter(({ name }) => name.includes('._domainkey.'))
  return [status, ...keys.map((record) => `${record.name.split('.')[0]} ${record.status}`).sort()]
}

/** Sends an email and returns the selector of its signature, which must verify against DNS. */
async function selectorOfMail(of: TestTeam, domain: string): Promise<string> {
  const sent = await ok(of.api.post('/v1/emails', { from: `a@${domain}`, to: ['b@c.test'], subject: 'x', text: 'y' }))
  const { data } = (await of.api.get('/v1/inbox?limit=100')).body
  const { id } = data.find((entry: { emailId: string }) => entry.emailId === sent.id)
  const raw = await of.api.get(`/v1/inbox/${id}`, { accept: 'message/rfc822' })
  const { body } = await of.api.get('/v1/domains')
  const own = body.data.find(({ name }: { name: string }) => name === domain)
  const { records } = (await of.api.get(`/v1/domains/${own.id}`)).body as Domain
  const resolver = async (name: string) => records.filter((record) => record.name === name).map(({ value }) => [value])
  const { results } = await dkimVerify(Buffer.from(raw.text, 'latin1'), { resolver })
  assert.equal(results[0]!.status.result, 'pass')
  return results[0]!.selector!
}

test('a new key signs once its record is found, and the former record is listed for seven more days', async () => {
  const domain = await verifiedDomain(team, 'shop.com')
  const { status, body } = await domain.rotate()
  assert.deepEqual([status, ...dkimOf(body)], [200, 'verified', 'posthorn verified', 'posthorn2 pending'])
  const { records } = body as Domain
  assert.deepEqual(Object.keys(records[0]!).sort(), ['name', 'priority', 'status', 'type', 'value'])
  assert.equal(new Set(records.map(({ value }) => value)).size, records.length)
  assert.equal(await domain.sentWith(), 'posthorn')
  await posthorn.runDueJobsAfter(60_000)
  assert.deepEqual(await domain.dkim(), ['verified', 'posthorn verified', 'posthorn2 pending'])
  dns.publish(records)
  await posthorn.runDueJobsAfter(5 * 60_000)
  assert.deepEqual(await domain.dkim(), ['verified', 'posthorn verified', 'posthorn2 verified'])
  assert.equal(await domain.sentWith(), 'posthorn2')
  await posthorn.runDueJobsAfter(7 * 24 * hourMs - 1)
  assert.deepEqual(await domain.dkim(), ['verified', 'posthorn verified', 'posthorn2 verified'])
  clock.advance(1)
  assert.deepEqual(await domain.dkim(), ['verified', 'posthorn2 verified'])
  await posthorn.runDueJobs()
  const again = await domain.rotate()
  assert.deepEqual([again.status, ...dkimOf(again.body)], [200, 'verified', 'posthorn pending', 'posthorn2 verified'])
  await team.api.delete(domain.path)
})

test('one key is replaced at a time, and not while the former one is still listed', async () => {
  const domain = await verifiedDomain(team, 'once.com')
  const racing = await Promise.all([domain.rotate(), domain.rotate()])
  assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 409])
  dns.publish(racing.find(({ status }) => status === 200)!.body.records)
  assert.equal((await domain.verify()).body.status, 'verified')
  const early = await domain.rotate()
  assert.equal(early.status, 409)
  assert.match(early.body.message, /posthorn\._domainkey\.once\.com must stay until/)
  await team.api.delete(domain.path)
})

test('a key is replaced even if the former record was removed at the same time', async () => {
  const domain = await verifiedDomain(team, 'swapped.com')
  const { body } = await domain.rotate()
  dns.publish((body.records as PublishedRecord[]).filter(({ name }) => !name.startsWith('posthorn.')))
  await posthorn.runDueJobsAfter(24 * hourMs)
  assert.deepEqual((await domain.dkim()).slice(0, 1), ['verified'])
  assert.equal(await domain.sentWith(), 'posthorn2')
  await team.api.delete(domain.path)
})

test('without the new record the domain stays verified and signs as before', async () => {
  const domain = await verifiedDomain(team, 'never.com')
  await domain.rotate()
  await posthorn.runDueJobsAfter(73 * hourMs)
  assert.deepEqual(await domain.dkim(), ['verified', 'posthorn verified', 'posthorn2 failed'])
  assert.equal(await domain.sentWith(), 'posthorn')
  await team.api.delete(domain.path)
})

test('the key of a domain that is not verified cannot be replaced', async () => {
  const { body } = await team.api.post('/v1/domains', { name: 'new.com' })
  assert.equal((await team.api.post(`/v1/domains/${body.id}/rotate-dkim`)).status, 409)
})

test('a reserved name has its new key after the next verification', async () => {
  const { body } = await team.api.post(`/v1/domains/${team.domainId}/rotate-dkim`)
  assert.deepEqual(dkimOf(body), ['verified', 'posthorn verified', 'posthorn2 pending'])
  const verified = await team.api.post(`/v1/domains/${team.domainId}/verify`)
  assert.deepEqual(dkimOf(verified.body), ['verified', 'posthorn verified', 'posthorn2 verified'])
  assert.equal(await selectorOfMail(team, team.domain), 'posthorn2')
})
