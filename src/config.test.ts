import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productionEnvironment as production } from '../test/production.ts'
import { readConfig } from './config.ts'
import { testTeamOf } from './platform/mode/mode.ts'

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

test('NODE_ENV is production, development, test or not set, so that a typo does not switch production off', () => {
  for (const NODE_ENV of ['prod', 'Production', 'PRODUCTION', 'staging', 'production ']) {
    const line = `NODE_ENV must be one of production, development, test, or not set; it was "${NODE_ENV}".`
    assert.equal(refusalOf({ ...production, NODE_ENV }), line)
  }
  for (const NODE_ENV of ['', 'development', 'test']) assert.equal(readConfig({ NODE_ENV }).production, false)
  assert.equal(readConfig(production).production, true)
})

const relay = { EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: 'smtp://127.0.0.1:2525' }
const twilio = { SMS_PROVIDER: 'twilio', TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'token' }

test('a server that strangers can reach or that sends is in production, unless TRIAL is on', () => {
  const { APP_SECRET, PAYMENTS_PROVIDER } = production
  const causes = {
    'HOST=0.0.0.0': { HOST: '0.0.0.0' },
    'HOST=::': { HOST: '::' },
    'HOST=mail-1.example.com': { HOST: 'mail-1.example.com' },
    'SMTP_LISTEN=0.0.0.0': { SMTP_LISTEN: '0.0.0.0' },
    'PUBLIC_URL=https://mail.example.com': { PUBLIC_URL: 'https://mail.example.com/' },
    'EMAIL_PROVIDER=smtp': relay,
    'SMS_PROVIDER=twilio': twilio,
  }
  for (const [cause, environment] of Object.entries(causes)) {
    for (const NODE_ENV of ['', 'development', 'test']) {
      const config = readConfig({ NODE_ENV, APP_SECRET, PAYMENTS_PROVIDER, ...environment })
      assert.deepEqual([config.production, config.signup, config.productionCause], [true, 'closed', cause])
    }
    const trial = readConfig({ TRIAL: 'on', ...environment })
    assert.deepEqual([trial.production, trial.signup, trial.paymentsProvider], [false, 'open', 'sandbox'])
    assert.equal(readConfig({ ...production, TRIAL: 'on', ...environment }).production, true)
  }
})

test('a server on loopback that keeps its messages is a trial', () => {
  for (const HOST of ['127.0.0.1', '127.0.0.2', '::1', 'localhost']) {
    for (const PUBLIC_URL of ['', 'http://localhost:4000', 'http://[::1]:3000', 'http://127.0.0.1']) {
      const { production, productionCause } = readConfig({
        HOST,
        SMTP_LISTEN: HOST,
        PUBLIC_URL,
        EMAIL_PROVIDER: 'capture',
      })
      assert.deepEqual([production, productionCause], [false, null])
    }
  }
})

test('a server that became one of production by its place is refused with what to set, and with the way to try it', () => {
  const { APP_SECRET } = production
  assert.equal(
    refusalOf({ ...relay, PAYMENTS_PROVIDER: 'none' }),
    'APP_SECRET must be set with EMAIL_PROVIDER=smtp, such as the output of: openssl rand -hex 32; it was not set. For a trial among people you trust, set TRIAL=on.',
  )
  assert.equal(
    refusalOf({ HOST: '0.0.0.0', APP_SECRET }),
    'PAYMENTS_PROVIDER must be stripe, or none for no billing, with HOST=0.0.0.0; it was not set. For a trial among people you trust, set TRIAL=on.',
  )
})

test('in production sign-up is closed until the operator opens it; elsewhere it is open', () => {
  assert.equal(readConfig(production).signup, 'closed')
  assert.equal(readConfig({ ...production, SIGNUP: 'open' }).signup, 'open')
  assert.equal(readConfig({}).signup, 'open')
})

test('where strangers sign up in production, the operator gives out the numbers of senders', () => {
  assert.equal(readConfig({ ...production, SIGNUP: 'open' }).senderNumbers, 'assigned')
  assert.equal(readConfig({ ...production, SIGNUP: 'open', SENDER_NUMBERS: 'claim' }).senderNumbers, 'claim')
  for (const environment of [production, {}, { SIGNUP: 'open' }]) {
    assert.equal(readConfig(environment).senderNumbers, 'claim')
  }
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

test('a relay URL that is refused is told which part is wrong, and its password is not shown', () => {
  const must = 'SMTP_RELAY_URL must be smtp[s]://user:pass@host:port; it was "a secret, not shown".'
  const cases = {
    '?tls=maybe': 'The relay URL’s ?tls= must be required or none.',
    '?verify=no': 'The relay URL’s ?verify= can only be off.',
    '?tls=none': 'The relay URL has a password, which ?tls=none would send unencrypted: leave ?tls=none out.',
  }
  for (const [query, fault] of Object.entries(cases)) {
    assert.equal(refusalOf({ SMTP_RELAY_URL: `smtp://user:pass99@relay.example${query}` }), `${must} ${fault}`)
  }
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
  for (const other of ['shop', testTeamOf(SYSTEM_TEAM)])
    assert.match(
      refusalOf({ ...systemMail, SYSTEM_TEAM: other }),
      new RegExp(`^SYSTEM_TEAM must be a team's id.*"${other}"\\.$`),
    )
})
