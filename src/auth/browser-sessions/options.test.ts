import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, sharedTestApp } from '../../../test/app.ts'

const posthorn = await sharedTestApp()

test('anybody may ask how people sign in', async () => {
  const options = await posthorn.anyone.get('/auth/options')
  assert.deepEqual([options.status, options.body], [200, { signup: true, providers: [], mail: false }])
  const google = { issuer: 'https://accounts.google.com', clientId: 'x', clientSecret: 'a secret' }
  const closed = await createTestApp({ SIGNUP: 'closed', OAUTH_PROVIDERS: JSON.stringify({ google }) })
  const { body, text } = await closed.anyone.get('/auth/options')
  assert.deepEqual(body, { signup: false, providers: ['google'], mail: false })
  assert.ok(!text.includes('secret'))
})
