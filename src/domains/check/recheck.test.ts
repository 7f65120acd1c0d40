import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { type PublishedRecord, startDnsServer } from '../../../test/dns.ts'
import { slowTest } from '../../../test/slow.ts'

const dns = await startDnsServer()
/** Makes keys that are so short that two of them fit an answer over UDP. */
async function generateDkimKeys() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 512,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicKey: publicKey.toString('base64'), privateKey }
}

const posthorn = await createTestApp(
  { DNS_SERVERS: dns.address, PUBLIC_URL: 'https://mail.example.com' },
  { generateDkimKeys },
)
const [team, other] = [await posthorn.team(), await posthorn.team()]
const hourMs = 3_600_000

async function newDomain(of: TestTeam, name: string) {
  const { body } = await of.api.post('/v1/domains', { name })
  const path = `/v1/domains/${body.id}`
  return {
    records: body.records as PublishedRecord[],
    verify: () => of.api.post(`${path}/verify`),
    status: async () => (await of.api.get(path)).body.status as string,
    send: async () => {
      const email = { from: `ceo@${name}`, to: ['ada@example.com'], subject: 'x', text: 'y' }
      const { status, body } = await of.api.post('/v1/emails', email)
      return status === 200 ? 'sent' : body.name
    },
  }
}

/** Passes a day and runs its checks. */
async function aDay() {
  await posthorn.runDueJobsAfter(24 * hourMs)
}

test('a verified domain fails 72 hours after its records are removed, and can no longer send', async () => {
  const domain = await newDomain(team, 'sold.com')
  dns.publish(domain.records)
  assert.equal((await domain.verify()).body.status, 'verified')
  dns.publish([])
  for (let day = 1; day <= 3; day++) {
    await aDay()
    assert.deepEqual([await domain.status(), await domain.send()], ['verified', 'sent'])
  }
  await aDay()
  assert.deepEqual([await domain.status(), await domain.send()], ['failed', 'domain_not_verified'])
})

slowTest('a silent DNS does not fail a domain, and records that come back end the 72 hours', async () => {
  const domain = await newDomain(team, 'silent.com')
  dns.publish(domain.records)
  await domain.verify()
  dns.become('failing')
  for (let day = 1; day <= 6; day++) await aDay()
  assert.equal(await domain.status(), 'verified')
  dns.become('answering')
  dns.publish([])
  await aDay()
  await aDay()
  dns.publish(domain.records)
  await aDay()
  dns.publish([])
  await aDay()
  await aDay()
  assert.equal(await domain.status(), 'verified')
  dns.publish(domain.records)
  await aDay()
})

test('a name moves to the team whose records are in DNS, and the former team cannot send from it', async () => {
  const former = await newDomain(team, 'moved.com')
  dns.publish(former.records)
  await former.verify()
  const next = await newDomain(other, 'moved.com')
  assert.equal((await next.verify()).body.status, 'pending')
  dns.publish([...former.records, next.records[0]!])
  assert.equal((await next.verify()).status, 409)
  dns.publish(next.records)
  const answer = await next.verify()
  assert.deepEqual([answer.status, answer.body.status], [200, 'verified'])
  assert.deepEqual([await former.status(), await former.send()], ['failed', 'domain_not_verified'])
  assert.deepEqual([await next.status(), await next.send()], ['verified', 'sent'])
  assert.equal((await former.verify()).body.status, 'pending')
  assert.equal(await next.status(), 'verified')
})

test('a name moves to the team whose records are in DNS at the next daily check', async () => {
  const former = await newDomain(team, 'asleep.com')
  dns.publish(former.records)
  await former.verify()
  const next = await newDomain(other, 'asleep.com')
  dns.publish(next.records)
  await aDay()
  assert.deepEqual([await former.status(), await next.status()], ['failed', 'verified'])
  dns.publish([])
  for (let day = 1; day <= 4; day++) await aDay()
  assert.equal(await next.status(), 'failed')
})

test('a name does not move while DNS does not answer about the team that has it', async () => {
  const former = await newDomain(team, 'quiet.com')
  dns.publish(former.records)
  await former.verify()
  const next = await newDomain(other, 'quiet.com')
  dns.become('failing')
  assert.equal((await next.verify()).body.status, 'temporary_failure')
  dns.become('answering')
  assert.deepEqual([await former.status(), await former.send()], ['verified', 'sent'])
})

test('a reserved name is not looked up, and stays with the team that verified it', async () => {
  const former = await newDomain(team, 'brand.test')
  await former.verify()
  const next = await newDomain(other, 'brand.test')
  assert.equal((await next.verify()).status, 409)
  for (let day = 1; day <= 5; day++) await aDay()
  assert.equal(await former.status(), 'verified')
})
