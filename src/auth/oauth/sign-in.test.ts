import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { Provider } from 'oidc-provider'
import { createTestApp } from '../../../test/app.ts'

type Person = { email?: string; email_verified?: boolean; name?: string }

/** A real OpenID provider on loopback, whose people sign in by `login_hint`. */
const people = new Map<string, Person>()
const redirectUri = 'http://127.0.0.1:9/callback?from=posthorn'
const peer = await startProvider()
const google = { issuer: peer.issuer, clientId: 'basic', clientSecret: 'a secret: of the client/1' }
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

/** Walks through the provider as a browser does, and hands its code over. */
async function signIn(subject: string, { provider = 'google', ...overrides }: Overrides = {}, app = posthorn) {
  const codeVerifier = randomBytes(32).toString('base64url')
  const code = overrides.code ?? (await peer.authorize(subject, provider === 'post' ? 'post' : 'basic', codeVerifier))
  return app.anyone.post('/auth/oauth', { provider, code, redirectUri, codeVerifier, ...overrides })
}

test('the first sign-in makes an account, and the next one finds it, whatever its address is by then', async () => {
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

test('a verified address joins the account that has it; an unverified one never does', async () => {
  const { body } = await posthorn.anyone.post('/auth/signup', { email: 'grace@example.com', password })
  for (const email_verified of [false, undefined]) {
    people.set('imposter', { email: 'grace@example.com', ...(email_verified !== undefined && { email_verified }) })
    const refused = await signIn('imposter')
    assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
  }
  people.set('grace', { email: 'GRACE@example.com', email_verified: true })
  const joined = await signIn('grace')
  assert.deepEqual([joined.status, joined.body.user.id], [200, body.user.id])
  assert.equal((await posthorn.anyone.post('/auth/login', { email: 'grace@example.com', password })).status, 200)
  people.set('imposter', { email: 'imposter@example.com', email_verified: false })
  const own = await signIn('imposter')
  assert.deepEqual([own.status, own.body.user.email === 'imposter@example.com'], [200, true])
})

test('first sign-ins of one person that race end in one account', async () => {
  people.set('twins', { email: 'twins@example.com', email_verified: false })
  const racing = await Promise.all([1, 2, 3, 4].map(() => signIn('twins')))
  assert.deepEqual(
    racing.map(({ status }) => status),
    [200, 200, 200, 200],
  )
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

test('closed sign-up lets nobody new in, and lets in whoever has an account', async () => {
  people.set('new', { email: 'new@example.com', email_verified: true })
  assert.equal((await signIn('new', {}, closed)).status, 403)
  await closed.app.db
    .insertInto('users')
    .values({
      id: closed.app.newId(),
      email: 'new@example.com',
      email_lower: 'new@example.com',
      created_at: new Date(0),
    })
    .execute()
  assert.equal((await signIn('new', {}, closed)).body.name, 'authorization_error', 'of no team')
})

test('without an address there is no sign-in, nor with one that only becomes another’s in lower case', async () => {
  await posthorn.anyone.post('/auth/signup', { email: 'mike@example.com', password })
  for (const email of [undefined, 'mi\u212ae@example.com', 'mike', 'a b@example.com']) {
    people.set('nameless', { ...(email && { email, email_verified: true }) })
    const answer = await signIn('nameless')
    assert.deepEqual([answer.status, /scopes/.test(answer.body.message)], [401, true], email)
  }
})

test('a client registered for secrets in the body is served too', async () => {
  people.set('barbara', { email: 'barbara@example.com', email_verified: true })
  for (const time of [1, 2]) assert.equal((await signIn('barbara', { provider: 'post' })).status, 200, `time ${time}`)
})

test('a provider that is gone, or refuses this server, is 502 and nothing happened', async () => {
  for (const provider of ['gone', 'misconfigured']) {
    const answer = await signIn('ada', { provider })
    assert.deepEqual([answer.status, answer.body.name], [502, 'provider_error'], provider)
    assert.ok(!answer.text.includes('secret'))
  }
})

async function startProvider() {
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client_secret = 'a secret: of the client/1'
  const provider = new Provider(issuer, {
    clients: [
      { client_id: 'basic', client_secret, redirect_uris: [redirectUri] },
      {
        client_id: 'post',
        client_secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['of the test'] },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: async (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people.get(sub) }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  async function handle(...[request, response]: Parameters<typeof callback>) {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    const { params } = await provider.interactionDetails(request, response)
    return provider.interactionFinished(request, response, { login: { accountId: String(params.login_hint) } })
  }
  after(() => server.close())
  async function authorize(subject: string, clientId: string, codeVerifier: string): Promise<string> {
    const parameters = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      login_hint: subject,
    }
    const challenge = {
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    let location = `${issuer}/auth?${new URLSearchParams({ ...parameters, ...challenge })}`
    const cookies = new Map<string, string>()
    for (let hop = 0; hop < 6 && location.startsWith(issuer); hop++) {
      const answer = await fetch(location, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      })
      for (const cookie of answer.headers.getSetCookie())
        cookies.set(cookie.split('=')[0]!, cookie.slice(cookie.indexOf('=') + 1).split(';')[0]!)
      location = new URL(answer.headers.get('location') ?? assert.fail(await answer.text()), issuer).href
    }
    return new URL(location).searchParams.get('code') ?? assert.fail(location)
  }
  return { issuer, authorize }
}
