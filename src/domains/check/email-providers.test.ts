import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestApp } from '../../../test/app.ts'
import { startDnsServer } from '../../../test/dns.ts'
import { readConfig } from '../../config.ts'

const dns = await startDnsServer()
const shared = { DNS_SERVERS: dns.address, PUBLIC_URL: 'https://mail.example.com' }
const relay = { EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: 'smtp://127.0.0.1:2525' }
const dayMs = 24 * 3_600_000

type Record = {
  type: 'txt' | 'mx' | 'cname'
  name: string
  value: string
  note?: string
  priority: number | null
  status: string
}
type Domain = { status: string; records: Record[] }

async function startWith(environment: { [name: string]: string }): Promise<TestApp> {
  return createTestApp({ ...shared, ...environment })
}

let domains = 0

async function newDomain(posthorn: TestApp, settings: object = {}) {
  const { api, domainId } = await posthorn.team()
  // Otherwise background checks would look it up too.
  await api.delete(`/v1/domains/${domainId}`)
  const { body } = await api.post('/v1/domains', { name: `shop${++domains}.com`, ...settings })
  return {
    ...{ id: body.id as string, api, records: (body as Domain).records },
    read: async (): Promise<Domain> => (await api.get(`/v1/domains/${body.id}`)).body,
    verify: async (): Promise<Domain> => (await api.post(`/v1/domains/${body.id}/verify`)).body,
  }
}

/** Returns the values of SPF and MX, which are on the return path. */
function returnPathValues({ records }: { records: Record[] }): string[] {
  return records.filter(({ name }) => name.startsWith('send.')).map(({ value }) => value)
}

const statusesOf = ({ status, records }: Domain) => [status, ...records.map((record) => record.status)]

for (const [named, mechanisms] of [
  ['include:relay.example', 'include:relay.example'],
  [' ip4:192.0.2.0/24  IP6:2001:db8::1 ', 'ip4:192.0.2.0/24 ip6:2001:db8::1'],
] as const) {
  test(`with SMTP_RELAY_SPF="${named}" the SPF record must name the relay, and MX our host`, async () => {
    const posthorn = await startWith({ ...relay, SMTP_RELAY_SPF: named })
    const domain = await newDomain(posthorn)
    assert.deepEqual(returnPathValues(domain), [`v=spf1 ${mechanisms} ~all`, 'mail.example.com'])
    const last = mechanisms.split(' ').at(-1)!
    dns.publish(
      domain.records.map((record) => ({ ...record, value: record.value.replace(last, 'a:mail.example.com') })),
    )
    assert.deepEqual(statusesOf(await domain.verify()), ['pending', 'verified', 'pending', 'verified'])
    dns.publish(domain.records)
    assert.deepEqual(statusesOf(await domain.verify()), ['verified', 'verified', 'verified', 'verified'])
  })
}

const unnamed = await startWith(relay)

test('without SMTP_RELAY_SPF the SPF record is left to the operator and not required', async () => {
  const domain = await newDomain(unnamed)
  assert.deepEqual(returnPathValues(domain), ['', 'mail.example.com'])
  const notes = domain.records.map(({ note = '' }) => note.replace(/ which .*/, ''))
  assert.deepEqual(notes, ['', 'Ask the operator', ''], 'the advice is a note, since a value would be published')
  dns.publish(domain.records.filter(({ name, type }) => !name.startsWith('send.') || type === 'mx'))
  assert.deepEqual(statusesOf(await domain.verify()), ['verified', 'verified', 'pending', 'verified'])
  const before = dns.questions()
  await unnamed.runDueJobsAfter(dayMs / 2)
  assert.equal(dns.questions(), before, 'only the daily check follows')
  for (let day = 0; day < 5; day++) {
    await unnamed.runDueJobsAfter(dayMs)
  }
  assert.deepEqual(statusesOf(await domain.read()), ['verified', 'verified', 'pending', 'verified'])
})

test('without SMTP_RELAY_SPF a new return path is used once its MX record is found', async () => {
  const domain = await newDomain(unnamed)
  dns.publish(domain.records)
  await domain.verify()
  const { body } = await domain.api.patch(`/v1/domains/${domain.id}`, { customReturnPath: 'bounce' })
  dns.publish(body.records)
  await domain.verify()
  const row = await unnamed.app.db
    .selectFrom('domains')
    .select('return_path')
    .where('id', '=', domain.id)
    .executeTakeFirst()
  assert.equal(row!.return_path, body.records[1].name)
})

test('a relay that is named after domains were verified is required of them within 72 hours', async () => {
  const domain = await newDomain(unnamed)
  dns.publish(domain.records)
  await domain.verify()
  unnamed.app.providers.email.live.returnPathDns = () => ({ spf: 'include:relay.example' })
  for (let day = 0; day < 2; day++) {
    await unnamed.runDueJobsAfter(dayMs)
  }
  assert.deepEqual(statusesOf(await domain.read()), ['verified', 'verified', 'pending', 'verified'])
  dns.publish((await domain.read()).records)
  await unnamed.runDueJobsAfter(dayMs)
  assert.deepEqual(statusesOf(await domain.read()), ['verified', 'verified', 'verified', 'verified'])
})

const ses = await startWith({ EMAIL_PROVIDER: 'ses' })

test("with ses the return path is Amazon's custom MAIL FROM domain in the region of the domain", async () => {
  const domain = await newDomain(ses, { region: 'eu-west-1' })
  assert.deepEqual(returnPathValues(domain), [
    'v=spf1 include:amazonses.com ~all',
    'feedback-smtp.eu-west-1.amazonses.com',
  ])
  dns.publish(domain.records)
  assert.deepEqual(statusesOf(await domain.verify()), ['verified', 'verified', 'verified', 'verified'])
})

test('tracking leads to our host with every provider', async () => {
  const { api, id } = await newDomain(ses)
  const { body } = await api.patch(`/v1/domains/${id}`, { clickTracking: true })
  assert.equal((body as Domain).records.find(({ type }) => type === 'cname')!.value, 'mail.example.com')
})

test('with direct SPF and MX name our host', async () => {
  const posthorn = await startWith({ EMAIL_PROVIDER: 'direct' })
  const domain = await newDomain(posthorn)
  assert.deepEqual(returnPathValues(domain), ['v=spf1 a:mail.example.com ~all', 'mail.example.com'])
  dns.publish(domain.records)
  assert.deepEqual(statusesOf(await domain.verify()), ['verified', 'verified', 'verified', 'verified'])
})

test('SMTP_RELAY_SPF must hold SPF mechanisms', () => {
  for (const SMTP_RELAY_SPF of [
    'relay.example',
    'include:',
    'include:relay',
    'ip4:relay.example',
    'ip4:192.0.2.1/33',
    'all',
    'ip6:192.0.2.1',
  ])
    assert.throws(() => readConfig({ ...relay, SMTP_RELAY_SPF }), {
      message: /^SMTP_RELAY_SPF must be up to 10 SPF mechanisms such as include:relay\.example/,
    })
  assert.throws(() => readConfig({ ...relay, SMTP_RELAY_SPF: Array(11).fill('a:relay.example').join(' ') }), /up to 10/)
})
