import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientSecret, type Person, startProvider } from '../../src/auth/oauth/fixtures/open-id-provider.ts'
import { freePort } from '../free-port.ts'
import { openDashboard } from './open.ts'

/** The provider must know our address beforehand. */
const port = await freePort()
const people = new Map<string, Person>([['ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' }]])
const callbacks = [`http://localhost:${port}/auth/oauth/work/callback`]
const peer = await startProvider(people, { subject: 'ada', callbacks })
const posthorn = await openDashboard({
  PORT: String(port),
  OAUTH_PROVIDERS: JSON.stringify({ work: { issuer: peer.issuer, clientId: 'basic', clientSecret } }),
})

test('Continue with a provider signs in, and leads to the page that was wanted', async () => {
  posthorn.mayLog(/status of 401/)
  posthorn.mayLog(/request to another origin: http:\/\/127\.0\.0\.1/)
  const page = await posthorn.openSignedOut('/app/emails?status=sent')
  await page.getByRole('link', { name: 'Continue with Work' }).click()
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
  assert.match(page.url(), /\/app\/emails\?status=sent$/)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByText('ada@example.com').waitFor()
})

test('a sign-in that this browser has not begun is told on the sign-in page', async () => {
  const page = await posthorn.openSignedOut('/auth/oauth/work/callback?code=x&state=y')
  await page.getByRole('alert').getByText('begun in another browser').waitFor()
  assert.match(page.url(), /\/app\/sign-in\?/)
})
