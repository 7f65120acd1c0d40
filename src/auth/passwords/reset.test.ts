import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { password, signUp, turnOnTwoFactor } from '../../../test/person.ts'
import { pluck } from '../../../test/pluck.ts'
import { slowTest } from '../../../test/slow.ts'
import { issueResetToken, issueVerificationToken } from '../account-tokens/issue.ts'
import { clientSecret, type Person, redirectUri, startProvider } from '../oauth/fixtures/open-id-provider.ts'

const provider = await startProvider(new Map<string, Person>([['linked', { email: 'linked@example.com' }]]))
const posthorn = await createTestApp({
  TRUST_PROXY: '127.0.0.1',
  OAUTH_PROVIDERS: JSON.stringify({ peer: { issuer: provider.issuer, clientId: 'basic', clientSecret } }),
})
const { anyone } = posthorn
const chosen = 'another winding road'
let requests = 0

const fromAnywhere = () => ({ 'x-forwarded-for': `198.51.100.${++requests % 250}` })
const post = (path: string, body: object) => anyone.post(path, body, fromAnywhere())
const login = (email: string, known: string, extra = {}) => post('/auth/login', { email, password: known, ...extra })
const reset = (token: string) => post('/auth/password/reset', { token, password: chosen })
const link = (userId: string, by: 'mail' | 'operator' = 'mail') =>
  posthorn.app.transaction((tx) => issueResetToken(tx, userId, by))

async function signup({ isVerified = false } = {}) {
  const ada = await signUp(posthorn, {}, fromAnywhere())
  if (isVerified) {
    const token = await posthorn.app.transaction((tx) => issueVerificationToken(tx, ada.user.id))
    await anyone.post('/auth/verify-email', { token })
  }
  return { ...ada, id: ada.user.id }
}

/** Gives the account a key and a second factor. Returns the API of the key and a function that makes codes. */
async function equip({ api }: Awaited<ReturnType<typeof signup>>) {
  const made = await api.post('/v1/api-keys', { name: 'mine', permission: 'full_access' })
  const further = await posthorn.as(made.body.key).post('/v1/api-keys', { name: 'made by the key' })
  const { code } = await turnOnTwoFactor(posthorn, api)
  const statusOf = async (key: string) => (await posthorn.as(key).get('/v1/rate-limits')).status
  return { code, keys: async () => [await statusOf(made.body.key), await statusOf(further.body.key)] }
}

test('a mailed link sets the password once, within an hour, and ends every session', async () => {
  const ada = await signup({ isVerified: true })
  const other = await login(ada.email, password)
  const token = await link(ada.id)
  posthorn.clock.advance(10 * 60_000)
  const racing = await Promise.all([reset(token), reset(token), reset(token)])
  assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 400, 400])
  assert.deepEqual(racing.find(({ status }) => status === 200)?.body, { reset: true })
  assert.equal(racing.find(({ status }) => status === 400)?.body.name, 'invalid_token')
  for (const { accessToken, refreshToken } of [ada, other.body]) {
    assert.equal((await posthorn.as(accessToken).get('/auth/me')).status, 401)
    assert.equal((await anyone.post('/auth/refresh', { refreshToken })).status, 401)
  }
  assert.equal((await login(ada.email, password)).status, 401)
  assert.equal((await login(ada.email, chosen)).status, 200)
  const late = await link(ada.id)
  posthorn.clock.advance(3_600_000)
  const expired = await reset(late)
  assert.deepEqual([expired.status, expired.body], [400, (await reset('made-up')).body])
})

test('a newer link ends the older ones, whoever made them', async () => {
  const { id } = await signup()
  const tokens = [await link(id, 'operator'), await link(id), await link(id)]
  const answers = []
  for (const token of tokens) answers.push((await reset(token)).status)
  assert.deepEqual(answers, [400, 400, 200])
})

test('a reset leaves the second factor and keys of a proven account, and the next login asks for the code', async () => {
  const ada = await signup({ isVerified: true })
  const { code, keys } = await equip(ada)
  assert.equal((await reset(await link(ada.id))).status, 200)
  const asked = await login(ada.email, chosen)
  assert.deepEqual([asked.status, asked.body.name], [401, 'two_factor_required'])
  assert.equal((await login(ada.email, chosen, { code: code() })).status, 200)
  assert.deepEqual(await keys(), [200, 200])
})

test('a mailed reset of an account whose address was never proven removes its second factor, keys and sessions', async () => {
  const stranger = await signup()
  const { keys } = await equip(stranger)
  assert.deepEqual(await keys(), [200, 200])
  assert.equal((await reset(await link(stranger.id))).status, 200)
  assert.deepEqual(await keys(), [401, 401])
  assert.equal((await stranger.api.get('/auth/me')).status, 401)
  const owner = await login(stranger.email, chosen)
  const { emailVerified, twoFactorEnabled } = owner.body.user
  assert.deepEqual([owner.status, emailVerified, twoFactorEnabled], [200, true, false])
  assert.equal(owner.body.team.id, stranger.team.id, 'the team stays')
})

slowTest('a key that is being made as the reset of an unproven account happens is refused or removed', async () => {
  for (let round = 0; round < 5; round++) {
    const stranger = await signup()
    const token = await link(stranger.id)
    const create = () => stranger.api.post('/v1/api-keys', { name: 'mine' })
    const [set, ...made] = await Promise.all([reset(token), create(), create(), create()])
    assert.equal(set.status, 200)
    for (const { body } of made.filter(({ status }) => status === 200)) {
      assert.equal((await posthorn.as(body.key).get('/v1/rate-limits')).status, 401)
    }
  }
})

test('such a reset leaves the keys of colleagues', async () => {
  const [stranger, colleague] = [await signup(), await signup()]
  const member = { team_id: stranger.team.id, user_id: colleague.id, role: 'admin' as const }
  await posthorn.app.db
    .insertInto('team_members')
    .values({ ...member, created_at: posthorn.clock.now() })
    .execute()
  const mine = await stranger.api.post('/v1/api-keys', { name: 'mine' })
  const { body: switched } = await colleague.api.post('/auth/switch', { teamId: stranger.team.id })
  const theirs = await posthorn.as(switched.accessToken).post('/v1/api-keys', { name: 'theirs' })
  await reset(await link(stranger.id))
  const statuses = [mine, theirs].map(({ body }) => posthorn.as(body.key).get('/v1/rate-limits'))
  assert.deepEqual(pluck(await Promise.all(statuses), 'status'), [401, 200])
})

test('an operator’s link keeps the second factor and the keys', async () => {
  const ada = await signup()
  const { code, keys } = await equip(ada)
  assert.equal((await reset(await link(ada.id, 'operator'))).status, 200)
  assert.deepEqual(await keys(), [200, 200])
  const { body } = await login(ada.email, chosen, { code: code() })
  assert.equal(body.user.emailVerified, true)
})

test('a provider that was linked before the address was proven no longer signs in after the reset', async () => {
  async function signIn() {
    const codeVerifier = randomBytes(32).toString('base64url')
    const code = await provider.authorize('linked', 'basic', codeVerifier)
    return post('/auth/oauth', { provider: 'peer', code, redirectUri, codeVerifier })
  }
  const { body } = await signIn()
  assert.equal(body.user.emailVerified, false)
  assert.equal((await signIn()).status, 200)
  assert.equal((await reset(await link(body.user.id))).status, 200)
  const refused = await signIn()
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
})

test('a login with the old password that races with a reset is refused or ended', async () => {
  const ada = await signup({ isVerified: true })
  for (let round = 0; round < 5; round++) {
    const before = round === 0 ? password : chosen
    const token = await link(ada.id)
    const next = `${chosen} ${round}`
    const [set, ...logins] = await Promise.all([
      post('/auth/password/reset', { token, password: next }),
      ...Array.from({ length: 3 }, () => login(ada.email, before)),
    ])
    assert.equal(set.status, 200)
    for (const { status, body } of logins.filter((answer) => answer.status === 200)) {
      assert.equal((await posthorn.as(body.accessToken).get('/auth/me')).status, 401, `${status}`)
    }
    posthorn.clock.advance(16 * 60_000)
    assert.equal((await reset(await link(ada.id))).status, 200)
  }
})

test('forgetting the password is answered alike for every address, by the same work', async () => {
  const ada = await signup()
  const count = async (table: 'jobs' | 'login_failures') => {
    const counted = posthorn.app.db.selectFrom(table).select((query) => query.fn.countAll<string>().as('rows'))
    return Number((await counted.executeTakeFirstOrThrow()).rows)
  }
  const work = []
  for (const email of [ada.email.toUpperCase(), 'nobody@example.com']) {
    const before = [await count('jobs'), await count('login_failures')]
    const answer = await post('/auth/password/forgot', { email })
    assert.deepEqual([answer.status, answer.body], [200, { sent: true }])
    work.push([(await count('jobs')) - before[0]!, (await count('login_failures')) - before[1]!])
  }
  assert.deepEqual(work, [
    [1, 2],
    [1, 2],
  ])
  await posthorn.runDueJobs()
  for (const email of ['no address', 'ada@']) {
    assert.equal((await post('/auth/password/forgot', { email })).status, 400)
  }
})

slowTest(
  'a flood of requests for a link asks for three mails of an account and thirty of an address in an hour',
  async () => {
    const waiting = async () =>
      (await posthorn.app.db.selectFrom('jobs').select('id').where('kind', '=', 'auth.request-reset').execute()).length
    await posthorn.runDueJobs()
    const ada = await signup()
    const flood = await Promise.all(
      Array.from({ length: 8 }, () => post('/auth/password/forgot', { email: ada.email })),
    )
    assert.ok(flood.every(({ status, body }) => status === 200 && body.sent === true))
    assert.equal(await waiting(), 3)
    await posthorn.runDueJobs()
    const from = { 'x-forwarded-for': '203.0.113.7' }
    for (let index = 0; index < 35; index++) {
      const { body } = await anyone.post('/auth/password/forgot', { email: `flood${index}@example.com` }, from)
      assert.deepEqual(body, { sent: true })
    }
    assert.equal(await waiting(), 30)
    await posthorn.runDueJobs()
    posthorn.clock.advance(3_600_000)
    await post('/auth/password/forgot', { email: ada.email })
    assert.equal(await waiting(), 1)
    await posthorn.runDueJobs()
    assert.equal(await waiting(), 0)
  },
)
