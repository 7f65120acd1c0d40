import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTwoFactorMissing, Refusal } from './refusal.ts'

test('a person without the second factor that the team requires is told where to turn it on', () => {
  const message = 'This team requires two-factor authentication. Set it up with POST /auth/2fa/setup.'
  const refusal = new Refusal(403, { name: 'two_factor_setup_required', message })
  assert.equal(isTwoFactorMissing(refusal), true)
  assert.match(refusal.message, /Turn it on under Security/)
  assert.doesNotMatch(refusal.message, /POST/)
  assert.equal(
    isTwoFactorMissing(new Refusal(403, { name: 'forbidden', message: 'This needs the role owner.' })),
    false,
  )
})
