import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import { type PublishedRecord, startDnsServer } from '../../test/dns.ts'
import { pluck } from '../../test/pluck.ts'
import { findSendingDomain } from './queries.ts'

const dns = await startDnsServer()
const posthorn = await createTestApp({ DNS_SERVERS: dns.address, PUBLIC_URL: 'https://mail.example.com' })
const { clock } = posthorn
const team = await posthorn.team()
let domains = 0

/** Tells whether the due jobs query DNS. */
async function isStillLookedFor(): Promise<boolean> {
  const before = dns.questions()
  await posthorn.runDueJobs()
  return dns.questions() > before
}

async function verifiedDomain() {
  const name = `shop${++domains}.com`
  const { body } = await team.api.post('/v1/domains', { name })
  dns.publish(body.records)
  const path = `/v1/domains/${body.id}`
  assert.equal((await team.api.post(`${path}/verify`)).body.status, 'verified')
  const read = async () => (await team.api.get(path)).body
  const sending = () => findSendingDomain(posthorn.app, { teamId: team.id, name }, { lock: false })
  return {
    id: body.id as string,
    name,
    path,
    records: body.records as PublishedRecord[],
    read,
    sending,
    patch: (changes: unknown) => team.api.patch(path, changes),
  }
}

function recordStatuses(body: { records: { name: string; type: string; status: string }[] }): string[] {
  return body.records.map(({ name, type, status }) => `${type} ${name.split('.')[0]} ${status}`)
}

test('each setting can be changed alone', async () => {
  const domain = await verifiedDomain()
  clock.advance(1000)
  const { status, body } = await domain.patch({ tls: 'enforced' })
  assert.deepEqual([status, body.tls, body.status, body.clickTracking], [200, 'enforced', 'verified', false])
  assert.equal(body.updatedAt, clock.now().toISOString())
  assert.equal((await domain.sending())!.tls, 'enforced')
  assert(!(await isStillLookedFor()))
})

test('mail is still sent when tracking is switched on, and the tracking record is found in the background', async () => {
  const domain = await verifiedDomain()
  const { body } = await domain.patch({ clickTracking: true })
  const verified = ['txt posthorn verified', 'txt send verified', 'mx send verified']
  assert.equal(body.status, 'verified')
  assert.deepEqual(recordStatuses(body), [...verified, 'cname track pending'])
  await posthorn.runDueJobs()
  assert.deepEqual(recordStatuses(await domain.read()), [...verified, 'cname track pending'])
  dns.publish(body.records)
  await posthorn.runDueJobsAfter(5 * 60_000)
  assert.deepEqual(recordStatuses(await domain.read()), [...verified, 'cname track verified'])
  assert.deepEqual(recordStatuses((await domain.patch({ clickTracking: false })).body), verified)
  assert.deepEqual(recordStatuses((await domain.patch({ openTracking: true })).body), [
    ...verified,
    'cname track pending',
  ])
})

test('only the tracking record fails if it is never published', async () => {
  const domain = await verifiedDomain()
  await domain.patch({ openTracking: true })
  await posthorn.runDueJobsAfter(72 * 3_600_000)
  const body = await domain.read()
  assert.deepEqual([body.status, body.records.at(-1).status], ['verified', 'failed'])
  clock.advance(3_600_000)
  assert(!(await isStillLookedFor()))
})

test('mail keeps its return path until the new one is verified', async () => {
  const domain = await verifiedDomain()
  const { body } = await domain.patch({ customReturnPath: 'Bounce' })
  assert.deepEqual([body.customReturnPath, body.status], ['bounce', 'verified'])
  assert.deepEqual(recordStatuses(body), ['txt posthorn verified', 'txt bounce pending', 'mx bounce pending'])
  await posthorn.runDueJobs()
  assert.equal((await domain.read()).status, 'verified')
  assert.equal((await domain.sending())!.returnPath, `send.${domain.name}`)
  dns.publish([...domain.records, ...body.records])
  await team.api.post(`${domain.path}/verify`)
  assert.equal((await domain.sending())!.returnPath, `bounce.${domain.name}`)
  const full = await domain.patch({ customReturnPath: `mx.bounce.${domain.name}` })
  assert.equal(full.body.customReturnPath, `mx.bounce.${domain.name}`)
  for (const cleared of [null, '']) {
    await domain.patch({ customReturnPath: 'other' })
    const { body } = await domain.patch({ customReturnPath: cleared })
    assert.deepEqual([body.customReturnPath, body.records[1].name], [null, `send.${domain.name}`])
  }
})

test('a change of a reserved name is verified at once', async () => {
  const { body } = await team.api.patch(`/v1/domains/${team.domainId}`, {
    customReturnPath: 'bounce',
    clickTracking: true,
  })
  assert.equal(body.status, 'verified')
  assert.deepEqual(recordStatuses(body), [
    'txt posthorn verified',
    'txt bounce verified',
    'mx bounce verified',
    'cname track verified',
  ])
  const sending = await findSendingDomain(posthorn.app, { teamId: team.id, name: team.domain }, { lock: false })
  assert.deepEqual([sending!.returnPath, sending!.clickTracking], [`bounce.${team.domain}`, true])
})

test('a change of the records voids the check under way', async () => {
  const domain = await verifiedDomain()
  const held = dns.hold()
  const checking = team.api.post(`${domain.path}/verify`)
  await held.asked
  await domain.patch({ customReturnPath: 'bounce' })
  held.release()
  const { body } = await checking
  assert.deepEqual(recordStatuses(body), ['txt posthorn verified', 'txt bounce pending', 'mx bounce pending'])
})

test('a failed domain becomes pending when its records change', async () => {
  const { body } = await team.api.post('/v1/domains', { name: 'late.com' })
  const path = `/v1/domains/${body.id}`
  await team.api.post(`${path}/verify`)
  await posthorn.runDueJobsAfter(73 * 3_600_000)
  assert.equal((await team.api.get(path)).body.status, 'failed')
  const changed = await team.api.patch(path, { customReturnPath: 'bounce' })
  assert.equal(changed.body.status, 'pending')
  dns.publish(changed.body.records)
  await posthorn.runDueJobs()
  assert.equal((await team.api.get(path)).body.status, 'verified')
})

test('an invalid setting is refused with the name of the field', async () => {
  const domain = await verifiedDomain()
  const cases: [Record<string, unknown>, string][] = [
    [{ clickTracking: 'yes' }, 'clickTracking'],
    [{ openTracking: null }, 'openTracking'],
    [{ tls: 'none' }, 'tls'],
    [{ name: 'other.com' }, 'name'],
    [{ region: 'eu-west-1' }, 'region'],
  ]
  for (const path of ['other.com', 'a b', domain.name, 'track', '-', `bounce.x${domain.name}`, 5])
    cases.push([{ customReturnPath: path }, 'customReturnPath'])
  for (const [changes, path] of cases) {
    const { status, body } = await domain.patch(changes)
    assert.deepEqual([status, body.errors[0].path], [400, path], JSON.stringify(changes))
  }
  assert.equal((await domain.patch({})).status, 400)
})

test("another team's domain does not exist", async () => {
  const other = await posthorn.team()
  const domain = await verifiedDomain()
  const answers = [await other.api.get(domain.path), await other.api.patch(domain.path, { tls: 'enforced' })]
  answers.push(await other.api.post(`${domain.path}/verify`), await other.api.delete(domain.path))
  assert.deepEqual(pluck(answers, 'status'), [404, 404, 404, 404])
  assert.equal((await domain.read()).tls, 'opportunistic')
})
