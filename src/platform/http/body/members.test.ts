import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../../../test/app.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()
const { anyone } = posthorn

/** Answers any body with 404 once it is read. */
const trigger = '/v1/workflows/triggers/unknown'

function elements(count: number): string {
  return `[${'1,'.repeat(count - 1)}1]`
}

function members(count: number): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])))
}

const excess = /^body: holds too many values: at most 10,000 members and elements/

test('a megabyte of members without a key is refused before it is parsed', async () => {
  for (const body of [members(80_000), elements(400_000), `[${'{},'.repeat(300_000)}{}]`]) {
    const answer = await anyone.post(trigger, body)
    assert.deepEqual([answer.status, answer.body.name], [400, 'validation_error'], answer.text)
    assert.match(answer.body.message, excess)
  }
  // A parser would have reported the missing bracket.
  assert.match((await anyone.post(trigger, elements(400_000).slice(0, -1))).body.message, excess)
})

test('members and elements are counted exactly, at every depth', async () => {
  const fit = [members(10_000), elements(10_000), `{"a":${elements(9_999)}}`, `[${'[],'.repeat(9_999)}{ }]`]
  const excessive = [members(10_001), elements(10_001), `{"a":${elements(10_000)}}`, `[${'[],'.repeat(10_000)}{ }]`]
  for (const body of fit) assert.equal((await anyone.post(trigger, body)).status, 404)
  for (const body of excessive) assert.match((await anyone.post(trigger, body)).body.message, excess)
})

test('commas and brackets inside strings are text, at any length and with any escapes', async () => {
  const texts = [
    ',[{'.repeat(20_000),
    '\\"'.repeat(20_000),
    '",'.repeat(20_000),
    `${'\\'.repeat(777)}"`.repeat(40),
    '"',
  ]
  for (const text of texts) {
    for (const body of [{ [text]: text }, [text, text], ` ${text}`])
      assert.equal((await anyone.post(trigger, JSON.stringify(body, null, 2))).status, 404)
    assert.match((await anyone.post(trigger, `[${JSON.stringify(text)},${elements(10_001)}]`)).body.message, excess)
  }
})

test('a body for an account is at most 64 KiB', async () => {
  for (const path of ['/auth/login', '/auth/signup', '/auth/oauth', '/auth/2fa/verify']) {
    const answer = await anyone.post(path, `"${'x'.repeat(65_535)}"`)
    const wanted = path.includes('2fa') ? 401 : 413
    assert.equal(answer.status, wanted, path)
    if (wanted === 413) assert.match(answer.body.message, /larger than the 64 KiB this endpoint takes/)
  }
  assert.equal((await anyone.post('/auth/login', `"${'x'.repeat(65_534)}"`)).status, 400)
})

test('a refresh token may be as long as a body of 1 MiB, and an unknown one is refused as such', async () => {
  const refreshToken = 'x'.repeat(1024 * 1024 - `{"refreshToken":""}`.length)
  assert.equal((await anyone.post('/auth/refresh', { refreshToken })).status, 401)
  assert.deepEqual((await anyone.post('/auth/logout', { refreshToken })).body, { revoked: true })
  assert.equal((await anyone.post('/auth/refresh', { refreshToken: `${refreshToken}x` })).status, 413)
})

test('the body of an unknown path is never parsed', async () => {
  const big = `[${'x'.repeat(2 * 1024 * 1024)}`
  for (const body of ['{"broken', members(80_000), big]) {
    assert.equal((await anyone.post('/v1/nowhere', body)).status, 404)
    assert.equal((await team.api.post('/nowhere', body)).status, 404)
  }
})

test('an import of ten thousand full rows is read, and one with more values than they have is not', async () => {
  const row = { email: 'ada@example.com', firstName: 'A', lastName: 'L', phoneNumber: null, unsubscribed: false }
  const imported = (row: object) => team.api.post('/v1/contacts/import', { contacts: Array(10_000).fill(row) })
  assert.equal((await imported(row)).status, 200)
  const properties = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`p${index}`, 1]))
  const refused = await imported({ ...row, properties })
  assert.deepEqual([refused.status, refused.body.name], [400, 'validation_error'])
  assert.match(refused.body.message, /holds too many values: at most [\d,]+ members/)
})

test('a batch of a hundred emails with four hundred variables each is read', async () => {
  const variables = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`v${index}`, index]))
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'x', templateVariables: variables }
  const batch = (extra: object) =>
    team.api.post('/v1/emails/batch', { emails: Array(100).fill({ ...email, ...extra }) })
  assert.match((await batch({ templateId: 'unknown' })).text, /template/i)
  const refused = await batch({ tags: variables, headers: variables })
  assert.match(refused.body.message, /at most 50,000 members/)
})

test('a form has a bounded number of fields', async () => {
  const fields = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=1`).join('&')
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const refused = await anyone.post('/billing/sandbox/portal', fields(201), type)
  assert.equal(refused.status, 400)
  assert.match(refused.body.message, /^body: has too many fields: at most 200/)
  assert.match(
    (await anyone.post('/providers/twilio/sms', fields(201), type)).body.message,
    /^body: has too many fields/,
  )
})

test('an unsigned notification is refused by its number of members', async () => {
  const answer = await anyone.post('/providers/ses/events', members(80_000))
  assert.equal(answer.status, 400)
  assert.match(answer.body.message, /at most 100 members/)
})

test('a megabyte of bytes or text is never listed character by character', async (t) => {
  const listed = t.mock.method(Object, 'keys')
  const megabyte = 'x'.repeat(1_000_000)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await anyone.post('/providers/twilio/sms', `a=${megabyte}`, form)).status, 401)
  assert.equal((await anyone.post('/v1/whatsapp/webhooks/inbound', `"${megabyte}"`)).status, 401)
  assert.equal((await team.api.post('/v1/webhooks/unknown/rotate-secret', `"${megabyte}"`)).status, 400)
  const isLong = (value: unknown) => Buffer.isBuffer(value) || typeof value === 'string'
  assert.equal(listed.mock.calls.filter(({ arguments: [value] }) => isLong(value)).length, 0)
})
