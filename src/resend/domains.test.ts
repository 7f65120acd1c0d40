import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResendApp, given, helloFrom, refused } from './fixtures/client.ts'

const { client, setUp } = await createResendApp()

test('a domain is added, read, changed, verified and removed', async () => {
  const { resend, team } = await setUp()
  const made = await given(resend.domains.create({ name: 'acme.test', region: 'eu-west-1', openTracking: true }))
  const { id } = made
  assert.deepEqual(
    [made.name, made.region, made.status, made.open_tracking, made.click_tracking],
    ['acme.test', 'eu-west-1', 'not_started', true, false],
  )
  assert.deepEqual(made.capabilities, { sending: 'enabled', receiving: 'disabled' })
  assert.deepEqual([...new Set(made.records.map(({ record }) => record))].sort(), ['DKIM', 'SPF', 'Tracking'])
  for (const { type, ttl, value, status } of made.records) {
    assert.ok(['TXT', 'MX', 'CNAME'].includes(type) && ttl === 'Auto' && value !== '' && status === 'pending')
  }
  const read = await given(resend.domains.get(id))
  assert.deepEqual(read, { object: 'domain', ...made })
  const listed = await given(resend.domains.list({ limit: 1 }))
  assert.deepEqual([listed.object, listed.has_more, listed.data[0]!.id], ['list', true, id])
  const older = await given(resend.domains.list({ after: id }))
  assert.deepEqual([older.has_more, older.data.map(({ name }) => name)], [false, [team.domain]])
  const newer = await given(resend.domains.list({ before: team.domainId }))
  assert.deepEqual(
    newer.data.map((domain) => domain.id),
    [id],
  )
  const changes = { id, clickTracking: true, tls: 'enforced' as const }
  assert.deepEqual(await given(resend.domains.update(changes)), { object: 'domain', id })
  assert.equal((await given(resend.domains.get(id))).click_tracking, true)
  assert.deepEqual(await given(resend.domains.verify(id)), { object: 'domain', id })
  assert.deepEqual(await given(resend.domains.remove(id)), { object: 'domain', id, deleted: true })
  assert.deepEqual((await refused(resend.domains.get(id))).slice(0, 2), [404, 'not_found'])
})

test('a domain that is there, has a bad name or wants to receive is refused', async () => {
  const { resend, team } = await setUp()
  const cases = [
    { name: team.domain },
    { name: 'nonsense' },
    { name: 'acme.test', capabilities: { receiving: 'enabled' as const } },
    { name: 'acme.test', customReturnPath: 'a b' },
  ]
  for (const domain of cases) {
    assert.deepEqual((await refused(resend.domains.create(domain))).slice(0, 2), [422, 'validation_error'])
  }
  assert.equal((await given(resend.domains.list())).data.length, 1)
})

test('a key is made with full access unless it says otherwise, and is listed, renamed and removed', async () => {
  const { resend, team } = await setUp()
  const { id, token } = await given(resend.apiKeys.create({ name: 'Full' }))
  assert.equal((await given(client(token).domains.list())).data.length, 1)
  const permission = 'sending_access'
  const sending = await given(resend.apiKeys.create({ name: 'Sending', permission, domain_id: team.domainId }))
  assert.deepEqual((await refused(client(sending.token).domains.list())).slice(0, 2), [401, 'restricted_api_key'])
  assert.ok((await given(client(sending.token).emails.send(helloFrom(team)))).id)
  const foreign = { ...helloFrom(team), from: 'a@other.test' }
  assert.deepEqual((await refused(client(sending.token).emails.send(foreign))).slice(0, 2), [403, 'validation_error'])
  const { data, object } = await given(resend.apiKeys.list({ limit: 2 }))
  assert.deepEqual([object, data.map(({ name }) => name)], ['list', ['Sending', 'Full']])
  assert.deepEqual(Object.keys(data[0]!).sort(), ['created_at', 'id', 'last_used_at', 'name'])
  assert.deepEqual(await given(resend.apiKeys.update(id, { name: 'Whole' })), { object: 'api_key', id })
  assert.deepEqual(await given(resend.apiKeys.remove(id)), { object: 'api_key', id, deleted: true })
  assert.deepEqual((await refused(client(token).domains.list())).slice(0, 2), [403, 'invalid_api_key'])
  assert.deepEqual((await refused(resend.apiKeys.create({ name: '' }))).slice(0, 2), [422, 'validation_error'])
})
