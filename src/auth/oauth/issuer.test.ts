import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type pg from 'pg'
import { createTestApp } from '../../../test/app.ts'
import { clientSecret, type Person, redirectUri, startProvider } from './fixtures/open-id-provider.ts'

const people = new Map<string, Person>()
const [first, second] = [await startProvider(people), await startProvider(people)]
const client = { clientId: 'basic', clientSecret }

let database: pg.ClientConfig = {}
const keep = async (config: pg.ClientConfig) => {
  database = config
  return config
}

function under(named: Record<string, typeof first>, through: typeof keep) {
  const providers = Object.entries(named).map(([name, { issuer }]) => [name, { issuer, ...client }])
  return createTestApp({ OAUTH_PROVIDERS: JSON.stringify(Object.fromEntries(providers)) }, { through })
}

/** Three servers on one database, before and after an operator changed the issuers behind the names. */
const posthorn = await under({ work: first }, keep)
const moved = await under({ work: second }, async () => database)
const renamed = await under({ office: first }, async () => database)

type Options = { provider?: string; sent?: string; nonce?: string }

async function signIn(
  app: typeof posthorn,
  peer: typeof first,
  subject: string,
  { provider = 'work', sent, nonce }: Options = {},
) {
  const codeVerifier = randomBytes(32).toString('base64url')
  const code = await peer.authorize(subject, 'basic', codeVerifier, sent)
  const body = { provider, code, redirectUri, codeVerifier, ...(nonce !== undefined && { nonce }) }
  return app.anyone.post('/auth/oauth', body)
}

/** Sets rows back to the form they had before the issuer was stored. */
function forgetIssuers(subjects: string[]) {
  const { db } = posthorn.app
  return db.updateTable('user_identities').set({ issuer: null }).where('subject', 'in', subjects).execute()
}

test('after a provider’s name is given to another issuer, its subjects cannot sign in to accounts of the first issuer', async () => {
  people.set('ada', { email: 'ada@example.com', email_verified: true })
  const { body } = await signIn(posthorn, first, 'ada')
  people.set('ada', { email: 'imposter@example.com', email_verified: true })
  const imposter = await signIn(moved, second, 'ada')
  assert.equal(imposter.status, 200, imposter.text)
  assert.notEqual(imposter.body.user.id, body.user.id)
})

test('after a provider is renamed, its users still sign in to their accounts', async () => {
  people.set('grace', { email: 'grace@example.com', email_verified: true })
  const { body } = await signIn(posthorn, first, 'grace')
  people.set('grace', { email: 'elsewhere@example.com', email_verified: true })
  const again = await signIn(renamed, first, 'grace', { provider: 'office' })
  assert.equal(again.body.user?.id, body.user.id, again.text)
})

test('users from before issuers were stored can sign in, and belong to the first issuer that identifies them', async () => {
  people.set('alan', { email: 'alan@example.com', email_verified: true })
  people.set('joan', { email: 'joan@example.com', email_verified: true })
  const [alan, joan] = [await signIn(posthorn, first, 'alan'), await signIn(posthorn, first, 'joan')]
  await forgetIssuers(['alan', 'joan'])
  const racing = await Promise.all([1, 2, 3].map(() => signIn(posthorn, first, 'alan')))
  for (const { body } of racing) assert.equal(body.user?.id, alan.body.user.id)
  people.set('joan', { email: 'not-joan@example.com', email_verified: true })
  const other = await signIn(moved, second, 'joan')
  assert.notEqual(other.body.user?.id, joan.body.user.id, 'all were bound by the first sign-in')
})

test('a nonce that the client sends must be the one that the provider was asked with', async () => {
  people.set('mary', { email: 'mary@example.com', email_verified: true })
  const good = await signIn(posthorn, first, 'mary', { sent: 'n-1', nonce: 'n-1' })
  assert.equal(good.status, 200, good.text)
  for (const sent of ['n-2', undefined]) {
    const refused = await signIn(posthorn, first, 'mary', { sent, nonce: 'n-1' })
    assert.deepEqual([refused.status, refused.body.name], [401, 'authentication_error'])
    assert.match(refused.body.message, /nonce/)
  }
  assert.equal((await signIn(posthorn, first, 'mary', { sent: 'n-3' })).status, 200, 'it is optional')
})
