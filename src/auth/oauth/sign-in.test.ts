import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { insertMember } from '../../teams/queries.ts'
import { clientSecret, type Person, redirectUri, startProvider } from './fixtures/open-id-provider.ts'

const people = new Map<string, Person>()
const peer = await startProvider(people)
const google = { issuer: peer.issuer, clientId: 'basic', clientSecret }
const providers = {
  google,
  post: { ...google, clientId: 'post' },
  misconfigured: { ...google, clientSecret: 'not the secret' },
  gone: { ...google, issuer: 'http://127.0.0.1:9' },
}
const environment = { OAUTH_PROVIDERS: JSON.stringify(providers) }
const posthorn = await createTestApp(environment)
const closed = await createTestApp({ ...environment, SIGNUP: 'closed' })
const password = 'a long and winding road'

type Overrides = { provider?: string; code?: string; codeVerifier?: string; redirectUri?: string }

/** Signs in at the provider as a browser does, and posts its code. */
async function signIn(subject: string, { provider = 'google', ...overrides }: Overrides = {}, app = posthorn) {
  const codeVerifier = randomBytes(32).toString('base64url')
  const code = overrides.code ?? (await peer.authorize(subject, provider === 'post' ? 'post' : 'basic', codeVerifier))
  return app.anyone.post('/auth/oauth', { provider, code, redirectUri, codeVerifier, ...overrides })
}

test('the first sign-in makes an account, and the next one finds it even if the address has changed', async () => {
  people.set('ada', { email: 'Ada@example.com', email_verified: true, name: 'Ada' })
  const first = await signIn('ada')
  assert.equal(first.status, 200, first.text)
  assert.deepEqual(
    [first.body.user.email, first.body.user.name, first.body.team.name],
    ['Ada@example.com', 'Ada', "Ada's team"],
  )
  const me = await posthorn.as(first.body.accessToken).get('/auth/me')
  assert.deepEqual([me.status, me.body.role], [200, 'owner'])
  people.set('ada', { email: 'elsewhere@example.com', email_verified: false })
  const second = await signIn('ada')
  assert.equal(second.body.user.id, first.body.user.id)
  const login = await posthorn.anyone.post('/auth/login', { email: 'ada@example.com', password })
  assert.equal(login.status, 401, 'without a password nobody logs in with one')
})

test('a name from a provider is kept without the characters that turn or hide text', async () => {
  const email = (who: string) => ({ email: `${who}@example.com`, email_verified: true })
  people.set('turned', { ...email('turned'), name: ' \u202eAda\u200b\nLovelace 👩🏽\u200d🚀 ' })
  people.set('hidden', { ...email('hidden'), name: '\u200b \u3164' })
  const [turned, hidden] = [await signIn('turned'), await signIn('hidden')]
  assert.deepEqual([turned.body.user.name, hidden.body.user.name], ['Ada Lovelace 👩🏽\u200d🚀', null])
  assert.equal(hidden.body.team.name, "hidden's team")
})

test('an address the provider has not verified never joins an account', async () => {
  await posthorn.anyone.post('/auth/signup', { email: 'grace@example.com', password })
  for (const email_verified of [false, undefined]) {
    people.set('imposter', { email: 'grace@example.com', ...(email_verified !== undefined && { email_verified }) })
    const refused = await signIn('imposter')
    assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
  }
  people.set('imposter', { email: 'imposter@example.com', email_verified: false })
  const own = await signIn('imposter')
  assert.deepEqual([own.status, own.body.user.email === 'imposter@example.com'], [200, true])
})

test('concurrent first sign-ins of one person make one account', async () => {
  people.set('twins', { email: 'twins@example.com', email_verified: false })
  const racing = await Promise.all([1, 2, 3, 4].map(() => signIn('twins')))
  assert.deepEqual(pluck(racing, 'status'), [200, 200, 200, 200])
  assert.equal(new Set(racing.map(({ body }) => body.user.id)).size, 1)
})

test('a code is refused when it is made up, used, or for another verifier or redirect', async () => {
  people.set('alan', { email: 'alan@example.com', email_verified: true })
  const codeVerifier = randomBytes(32).toString('base64url')
  const code = await peer.authorize('alan', 'basic', codeVerifier)
  assert.equal((await signIn('alan', { code, codeVerifier })).status, 200)
  const refused = [
    await signIn('alan', { code, codeVerifier }),
    await signIn('alan', { code: 'made-up' }),
    await signIn('alan', { codeVerifier: 'x'.repeat(43) }),
    await signIn('alan', { redirectUri: 'http://127.0.0.1:9/other' }),
  ]
  for (const { status, body } of refused) assert.deepEqual([status, body.name], [401, 'authentication_error'])
})

test('an unknown provider, or a verifier of another shape, is 400', async () => {
  for (const provider of ['unknown', '__proto__', 'constructor', 'Google']) {
    const answer = await signIn('ada', { provider, code: 'x' })
    assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'provider'])
  }
  assert.equal((await signIn('ada', { code: 'x', codeVerifier: 'short' })).status, 400)
})

test('closed sign-up refuses new users and accepts users with an account', async () => {
  people.set('new', { email: 'new@example.com', email_verified: true })
  assert.equal((await signIn('new', {}, closed)).status, 403)
  await closed.app.db
    .insertInto('users')
    .values({
      id: closed.app.newId(),
      email: 'new@example.com',
      email_lower: 'new@example.com',
      email_verified_at: new Date(0),
      created_at: new Date(0),
    })
    .execute()
  const { status, body } = await signIn('new', {}, closed)
  assert.deepEqual([status, body.name], [403, 'signup_closed'], 'a person without a team makes none by signing in')
  const team = await closed.team()
  const id = (await closed.app.db.selectFrom('users').select('id').where('email', '=', 'new@example.com').execute())[0]!
    .id
  await closed.app.transaction((tx) => insertMember(tx, { teamId: team.id, userId: id, role: 'viewer' }))
  const member = await signIn('new', {}, closed)
  assert.deepEqual([member.status, member.body.team?.id], [200, team.id])
})

test('a sign-in without an address to which mail goes is refused, and so is one whose address only equals another’s in lower case', async () => {
  await posthorn.anyone.post('/auth/signup', { email: 'mike@example.com', password })
  for (const email of [
    undefined,
    'mi\u212ae@example.com',
    'mike',
    'a b@example.com',
    'a,b@example.com',
    '<b>@a.test',
    'a@b',
  ]) {
    people.set('nameless', { ...(email && { email, email_verified: true }) })
    const answer = await signIn('nameless')
    assert.deepEqual([answer.status, /scopes/.test(answer.body.message)], [401, true], email)
  }
})

test('a client that must send its secret in the body can sign in too', async () => {
  people.set('barbara', { email: 'barbara@example.com', email_verified: true })
  for (const time of [1, 2]) assert.equal((await signIn('barbara', { provider: 'post' })).status, 200, `time ${time}`)
})

test('a provider that is unreachable, or refuses this server, is 502 and changes nothing', async () => {
  for (const provider of ['gone', 'misconfigured']) {
    const answer = await signIn('ada', { provider })
    assert.deepEqual([answer.status, answer.body.name], [502, 'provider_error'], provider)
    assert.ok(!answer.text.includes('secret'))
  }
})
