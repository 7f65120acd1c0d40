import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from './config.ts'

const production = {
  NODE_ENV: 'production',
  APP_SECRET: randomBytes(32).toString('hex'),
  PAYMENTS_PROVIDER: 'none',
}

/** Returns the error with which a start is refused. */
function refusalOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    const { message } = error as Error
    assert.ok(!message.includes('\n'))
    return message
  }
  throw new Error('It started.')
}

test('a bad value stops the start with one line: the setting, what it must be, and what it was unless it is secret', () => {
  assert.equal(refusalOf({ PORT: '99999' }), 'PORT must be a port from 0 to 65535; it was "99999".')
  assert.match(
    refusalOf({ EMAIL_PROVIDER: 'pigeon' }),
    /^EMAIL_PROVIDER must be one of .*capture.*; it was "pigeon"\.$/,
  )
  assert.match(refusalOf({ REDIS_URL: 'http://cache' }), /^REDIS_URL must be redis.*; it was /)
  const secret = refusalOf({ METRICS_TOKEN: 'short-secret' })
  assert.match(secret, /^METRICS_TOKEN must be at least 16 .*; it was "a secret, not shown"\.$/)
})

test('in production sign-up is closed until the operator opens it; elsewhere it is open', () => {
  assert.equal(readConfig(production).signup, 'closed')
  assert.equal(readConfig({ ...production, SIGNUP: 'open' }).signup, 'open')
  assert.equal(readConfig({}).signup, 'open')
})

test('in production the payment provider must be named; elsewhere it is the sandbox', () => {
  const { PAYMENTS_PROVIDER, ...unnamed } = production
  assert.match(refusalOf(unnamed), /^PAYMENTS_PROVIDER must be stripe, or none .* it was not set\.$/)
  assert.equal(readConfig({}).paymentsProvider, 'sandbox')
  for (const NODE_ENV of ['', 'production']) {
    assert.equal(readConfig({ ...production, NODE_ENV }).paymentsProvider, PAYMENTS_PROVIDER)
  }
})

test('in production the payment sandbox needs a second setting, because it gives away every plan', () => {
  const sandbox = { ...production, PAYMENTS_PROVIDER: 'sandbox' }
  assert.match(
    refusalOf(sandbox),
    /^PAYMENTS_PROVIDER must be stripe or none .*ALLOW_SANDBOX_PAYMENTS=on .* "sandbox"\.$/,
  )
  assert.equal(readConfig({ ...sandbox, ALLOW_SANDBOX_PAYMENTS: 'on' }).paymentsProvider, 'sandbox')
})

test('in production a secret that can be guessed stops the start and is not shown', () => {
  const { APP_SECRET, ...without } = production
  assert.match(
    refusalOf(without),
    /^APP_SECRET must be set with NODE_ENV=production, .*openssl rand -hex 32; it was not set/,
  )
  const guessable = 'change-me-change-me-change-me-change-me'
  const message = refusalOf({ ...production, APP_SECRET: guessable })
  assert.match(message, /^APP_SECRET must be 128 random bits or more .*openssl rand -hex 32.*guessed/)
  assert.ok(!message.includes('change-me'))
  assert.equal(readConfig({ APP_SECRET: guessable }).appSecret, guessable, 'on a developer’s machine it is enough')
  assert.equal(readConfig(production).appSecret, APP_SECRET)
})

test('system mail needs its sender and its team', () => {
  const systemMail = { SYSTEM_FROM: 'Posthorn <hello@mail.test>', SYSTEM_TEAM: '0198D2F4-7A11-7000-8000-000000000001' }
  const { systemFrom, systemTeam, requireVerifiedEmail } = readConfig(systemMail)
  assert.equal(systemFrom, 'Posthorn <hello@mail.test>')
  assert.equal(systemTeam, systemMail.SYSTEM_TEAM.toLowerCase())
  assert.equal(requireVerifiedEmail, 'off')
  const { SYSTEM_FROM, SYSTEM_TEAM } = systemMail
  assert.match(refusalOf({ SYSTEM_FROM }), /^SYSTEM_TEAM must be set with SYSTEM_FROM, .* it was not set\.$/)
  assert.match(refusalOf({ SYSTEM_TEAM }), /^SYSTEM_FROM must be set with SYSTEM_TEAM, .* it was not set\.$/)
  assert.match(refusalOf({ ...systemMail, SYSTEM_FROM: 'a@b, c@d' }), /^SYSTEM_FROM must be one address.*"a@b, c@d"\.$/)
  assert.match(refusalOf({ ...systemMail, SYSTEM_TEAM: 'shop' }), /^SYSTEM_TEAM must be a team's id.*"shop"\.$/)
})
