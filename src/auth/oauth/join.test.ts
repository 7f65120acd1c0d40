import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { signUp, turnOnTwoFactor } from '../../../test/person.ts'
import { pluck } from '../../../test/pluck.ts'
import { clientSecret, type Person, redirectUri, startProvider } from './fixtures/open-id-provider.ts'

/** Two providers with the same people. */
const people = new Map<string, Person>()
const [first, second] = [await startProvider(people), await startProvider(people)]
const peers = { first, second }
const client = { clientId: 'basic', clientSecret }
const posthorn = await createTestApp({
  TRUST_PROXY: '127.0.0.1',
  OAUTH_PROVIDERS: JSON.stringify({
    first: { issuer: first.issuer, ...client },
    second: { issuer: second.issuer, ...client },
  }),
})
const stepMs = 30_000
let requests = 0

async function signIn(provider: keyof typeof peers, subject: string, extra: object = {}) {
  const codeVerifier = randomBytes(32).toString('base64url')
  const code = await peers[provider].authorize(subject, 'basic', codeVerifier)
  return post({ provider, code, redirectUri, codeVerifier, ...extra })
}

function post(body: object) {
  return posthorn.anyone.post('/auth/oauth', body, { 'x-forwarded-for': `198.51.100.${++requests % 250}` })
}

/** Signs a person up through the first provider and switches two-factor on. */
async function guarded(subject: string) {
  people.set(subject, { email: `${subject}@example.com`, email_verified: true })
  const made = await signIn('first', subject)
  const api = posthorn.as(made.body.accessToken)
  const { code } = await turnOnTwoFactor(posthorn, api)
  return { api, userId: made.body.user.id, code }
}

test('a stranger who signs up with another person’s address never shares an account with the owner of the address', async () => {
  const stranger = await signUp(posthorn, { email: 'owner@example.com' })
  const key = await stranger.api.post('/v1/api-keys', { name: 'mine', permission: 'full_access' })
  people.set('owner', { email: 'OWNER@example.com', email_verified: true })
  const refused = await signIn('first', 'owner')
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
  assert.match(refused.body.message, /Log in as before, or reset the password/)
  assert.equal((await signIn('first', 'owner')).status, 409, 'nor at the second try')
  assert.deepEqual((await posthorn.as(key.body.key).get('/v1/contacts')).body.data, [])
  const identities = await posthorn.app.db.selectFrom('user_identities').select('user_id').execute()
  assert.ok(identities.every(({ user_id }) => user_id !== stranger.user.id))
})

test('a second provider joins the account whose address the first one proved', async () => {
  people.set('ada', { email: 'ada@example.com', email_verified: true })
  const made = await signIn('first', 'ada')
  const joined = await signIn('second', 'ada')
  assert.deepEqual([joined.status, joined.body.user?.id], [200, made.body.user.id], joined.text)
  const entries = await posthorn.as(joined.body.accessToken).get('/v1/audit?action=user.provider_linked')
  const [{ actor, target, changes }] = entries.body.data
  assert.deepEqual([actor.id, target.id], [made.body.user.id, made.body.user.id])
  assert.deepEqual(changes, { provider: { from: null, to: 'second' } })
})

test('a provider that says in a text that the address is verified, as Apple does, joins like any other', async () => {
  people.set('eve', { email: 'eve@example.com', email_verified: true })
  const made = await signIn('first', 'eve')
  people.set('eve', { email: 'eve@example.com', email_verified: 'false' })
  assert.equal((await signIn('second', 'eve')).status, 409)
  people.set('eve', { email: 'eve@example.com', email_verified: 'true' })
  const joined = await signIn('second', 'eve')
  assert.deepEqual([joined.status, joined.body.user?.id], [200, made.body.user.id], joined.text)
})

test('an account that a provider made without a verified address is verified once that provider verifies the address', async () => {
  people.set('late', { email: 'late@example.com', email_verified: false })
  const made = await signIn('first', 'late')
  people.set('late', { email: 'late@example.com', email_verified: true })
  assert.equal((await signIn('second', 'late')).status, 409)
  assert.equal((await signIn('first', 'late')).status, 200)
  assert.equal((await signIn('second', 'late')).body.user.id, made.body.user.id)
})

test('a provider that verifies another address does not verify the address of the account', async () => {
  people.set('moved', { email: 'moved@example.com', email_verified: false })
  await signIn('first', 'moved')
  people.set('moved', { email: 'elsewhere@example.com', email_verified: true })
  assert.equal((await signIn('first', 'moved')).status, 200)
  people.set('other', { email: 'moved@example.com', email_verified: true })
  assert.equal((await signIn('second', 'other')).status, 409)
})

test('each sign-in through a provider asks an account with two-factor for the code', async () => {
  const { userId, code } = await guarded('edith')
  const asked = await signIn('second', 'edith')
  assert.deepEqual([asked.status, asked.body.name, 'accessToken' in asked.body], [401, 'two_factor_required', false])
  const { pendingToken } = asked.body
  const wrong = await post({ pendingToken, twoFactorCode: code(40) })
  assert.deepEqual([wrong.status, wrong.body.name], [401, 'invalid_two_factor_code'])
  const right = await post({ pendingToken: wrong.body.pendingToken, twoFactorCode: code() })
  assert.deepEqual([right.status, right.body.user?.id], [200, userId], right.text)
  posthorn.clock.advance(5 * stepMs)
  assert.equal((await post({ pendingToken, twoFactorCode: code() })).status, 401, 'the token was used')
  for (const provider of ['first', 'second'] as const) {
    posthorn.clock.advance(5 * stepMs)
    const again = await signIn(provider, 'edith')
    assert.deepEqual([again.status, again.body.name], [401, 'two_factor_required'], provider)
    const signedIn = await post({ pendingToken: again.body.pendingToken, twoFactorCode: code() })
    assert.deepEqual([signedIn.status, signedIn.body.user?.id], [200, userId], provider)
    assert.equal((await post({ pendingToken: again.body.pendingToken, twoFactorCode: code() })).status, 401)
  }
})

test('the code may come with the provider’s code at once', async () => {
  const { userId, code } = await guarded('radia')
  const wrong = await signIn('second', 'radia', { twoFactorCode: '000000' })
  assert.deepEqual([wrong.status, wrong.body.name], [401, 'invalid_two_factor_code'])
  const right = await signIn('second', 'radia', { twoFactorCode: code() })
  assert.deepEqual([right.status, right.body.user?.id], [200, userId])
})

test('only one of several concurrent requests with one pending token and two valid codes signs in', async () => {
  const { code } = await guarded('hedy')
  const { pendingToken } = (await signIn('second', 'hedy')).body
  const racing = await Promise.all([0, 1].map((steps) => post({ pendingToken, twoFactorCode: code(steps) })))
  assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 401])
})

test('a pending token is valid for five minutes, and a changed or made-up token is refused', async () => {
  const { api, code } = await guarded('joan')
  const { pendingToken } = (await signIn('second', 'joan')).body
  const flipped = `${pendingToken.slice(0, 30)}${pendingToken[30] === 'A' ? 'B' : 'A'}${pendingToken.slice(31)}`
  for (const token of ['x', 'v1.a.b.c', flipped, pendingToken.slice(0, -6)]) {
    assert.equal((await post({ pendingToken: token, twoFactorCode: code() })).status, 401, token)
  }
  assert.equal((await posthorn.as(pendingToken).get('/auth/me')).status, 401)
  posthorn.clock.advance(5 * 60_000)
  assert.equal((await post({ pendingToken, twoFactorCode: code() })).status, 401)
  const later = (await signIn('second', 'joan')).body.pendingToken
  assert.equal((await api.post('/auth/2fa/disable', { code: code() })).status, 200)
  const without = await post({ pendingToken: later, twoFactorCode: '000000' })
  assert.equal(without.status, 401, 'where two-factor was switched off meanwhile, the sign-in starts again')
})

test('wrong codes count like the wrong codes of a login: after five, the right code must wait too', async () => {
  const { code } = await guarded('mary')
  const { pendingToken } = (await signIn('second', 'mary')).body
  for (let bad = 1; bad <= 5; bad++) {
    assert.equal((await post({ pendingToken, twoFactorCode: code(40 + bad) })).status, 401)
  }
  const waits = await post({ pendingToken, twoFactorCode: code() })
  assert.deepEqual([waits.status, waits.headers['retry-after']], [429, '900'])
})

test('a request contains a provider’s code or a pending token, and the answer names a missing field', async () => {
  const cases: [object, string[]][] = [
    [{}, ['provider', 'code', 'redirectUri', 'codeVerifier']],
    [{ twoFactorCode: '123456' }, ['provider', 'code', 'redirectUri', 'codeVerifier']],
    [{ pendingToken: 'x' }, ['twoFactorCode']],
    [{ pendingToken: 'x', twoFactorCode: '1', provider: 'first' }, ['body']],
  ]
  for (const [body, paths] of cases) {
    const answer = await post(body)
    assert.equal(answer.status, 400)
    assert.deepEqual(pluck(answer.body.errors, 'path'), paths)
  }
})
