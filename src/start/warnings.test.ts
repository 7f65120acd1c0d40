import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestApp, sharedTestApp } from '../../test/app.ts'
import { blocksOf } from '../../test/documented.ts'
import { productionEnvironment } from '../../test/production.ts'
import { readConfig } from '../config.ts'
import { selfSigned } from '../smtp/self-signed.ts'
import { startWarnings } from './warnings.ts'

const running = await sharedTestApp()
const production = {
  ...productionEnvironment,
  EMAIL_PROVIDER: 'direct',
  SMS_PROVIDER: 'capture',
  WHATSAPP_PROVIDER: 'capture',
}

/** The warnings of a start with this environment. */
async function warningsWith(environment: Record<string, string>): Promise<string[]> {
  const app = { ...running.app, config: readConfig(environment) }
  const warnings = await startWarnings(environment, { ...running, app })
  for (const warning of warnings) assert.ok(!warning.includes('\n'), warning)
  return warnings
}

test('a complete configuration has no warning', async () => {
  assert.deepEqual(await warningsWith({}), [])
  assert.deepEqual(await warningsWith(production), [])
})

test('the settings of docs/production.md have no warning, and open the SMTP ports to other hosts', async () => {
  const settings = blocksOf('docs/production.md').find(({ info }) => info === 'ini')!
  const written = [...settings.text.matchAll(/^([A-Z_]+)='?(.*?)'?$/gm)].map(([, name, value]): [string, string] => [
    name!,
    value!,
  ])
  const secret = (value: string) => (value.startsWith('the output of') ? productionEnvironment.APP_SECRET : value)
  const environment = Object.fromEntries(written.map(([name, value]) => [name, secret(value)]))
  assert.deepEqual(await warningsWith(environment), [])
  const { host, smtpListen, inboundSmtpPort } = readConfig(environment)
  assert.deepEqual([host, smtpListen, inboundSmtpPort], ['127.0.0.1', '0.0.0.0', 25])
})

test('a trial that strangers can reach or that sends is named with the setting that makes it so', async () => {
  const line =
    'unless other settings say otherwise, whoever reaches this server can sign up and take any plan. Leave TRIAL out for a service that strangers reach.'
  assert.deepEqual(await warningsWith({ TRIAL: 'on', HOST: '0.0.0.0' }), [`TRIAL is on with HOST=0.0.0.0: ${line}`])
  assert.deepEqual(await warningsWith({ TRIAL: 'on' }), [])
  const inProduction = await warningsWith({ ...production, TRIAL: 'on', NODE_ENV: 'production' })
  assert.deepEqual(inProduction, [
    'TRIAL=on has no effect with NODE_ENV=production. For a trial set NODE_ENV=development too.',
  ])
})

test('open sign-up in production is named where strangers’ links would have the operator’s name', async () => {
  const open = { ...production, SIGNUP: 'open', PUBLIC_URL: 'https://mail.example.com' }
  assert.deepEqual(await warningsWith(open), [
    "SIGNUP is open and TRACKING_SUBDOMAINS is off: tracked links in the mail of every team have the name mail.example.com. Set TRACKING_SUBDOMAINS to on, so that they have the name of the team's domain.",
  ])
  assert.deepEqual(await warningsWith({ ...open, TRACKING_SUBDOMAINS: 'on' }), [])
  assert.deepEqual(await warningsWith({ ...open, SIGNUP: 'closed' }), [])
})

test('a port for returned mail that other hosts cannot reach is named, unless it is meant', async () => {
  const INBOUND_SMTP_PORT = '2525'
  const line =
    'INBOUND_SMTP_PORT is open on 127.0.0.1 only, where no other host can bring bounces. Set SMTP_LISTEN to 0.0.0.0, or to 127.0.0.1 if that is meant.'
  assert.deepEqual(await warningsWith({ ...production, INBOUND_SMTP_PORT }), [line])
  const reached: Record<string, string>[] = [
    { SMTP_LISTEN: '0.0.0.0' },
    { SMTP_LISTEN: '127.0.0.1' },
    { HOST: '0.0.0.0' },
    { ROLES: 'api,worker' },
  ]
  for (const more of reached) assert.deepEqual(await warningsWith({ ...production, INBOUND_SMTP_PORT, ...more }), [])
  assert.deepEqual(await warningsWith({ INBOUND_SMTP_PORT }), [], 'a trial')
})

test('a misspelt setting is named with the one that was meant, without its value', async () => {
  assert.deepEqual(await warningsWith({ EMAL_PROVIDER: 'smtp', POSTHORN_COLOUR: 'a secret' }), [
    'EMAL_PROVIDER is not a setting and does nothing: did you mean EMAIL_PROVIDER?',
    'POSTHORN_COLOUR is not a setting and does nothing: docs/settings.md has them all',
  ])
})

test('variables of the SDK, of the commands over HTTP and of backups are no misspelt settings', async () => {
  const POSTHORN_URL = 'http://localhost:3000'
  const ofCommands = { POSTHORN_PROFILE: 'shop', POSTHORN_BACKUP_PASSPHRASE: 'a long passphrase' }
  assert.deepEqual(await warningsWith({ POSTHORN_API_KEY: 'ph_1', POSTHORN_URL, ...ofCommands }), [])
})

test('settings of a provider that is not chosen are named with the choice that would use them', async () => {
  const cases: [environment: Record<string, string>, warning: string][] = [
    [
      { SMTP_RELAY_URL: 'smtp://127.0.0.1:2525', SMTP_RELAY_SPF: 'include:relay.example' },
      'EMAIL_PROVIDER is capture, so these settings of smtp are not used: SMTP_RELAY_URL, SMTP_RELAY_SPF. Set EMAIL_PROVIDER=smtp, or leave them out.',
    ],
    [
      { STRIPE_SECRET_KEY: 'sk_test_1' },
      'PAYMENTS_PROVIDER is sandbox, so these settings of stripe are not used: STRIPE_SECRET_KEY. Set PAYMENTS_PROVIDER=stripe, or leave them out.',
    ],
    [
      { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}` },
      'SMS_PROVIDER is capture, so these settings of twilio are not used: TWILIO_ACCOUNT_SID. Set SMS_PROVIDER=twilio, or leave them out.',
    ],
    [
      { META_VERIFY_TOKEN: 'a token of sixteen letters' },
      'WHATSAPP_PROVIDER is capture, so these settings of meta are not used: META_VERIFY_TOKEN. Set WHATSAPP_PROVIDER=meta, or leave them out.',
    ],
  ]
  for (const [environment, warning] of cases) assert.deepEqual(await warningsWith(environment), [warning])
})

test('settings of a former provider, whose events still arrive, and those that several share have no warning', async () => {
  const former = { ...production, SES_TOPIC_ARNS: 'arn:aws:sns:us-east-1:1:events' }
  assert.deepEqual(await warningsWith(former), [])
  assert.deepEqual(await warningsWith({ STRIPE_WEBHOOK_SECRET: 'whsec_1' }), [])
})

test('in production a channel that sends nothing is named, for SMS and WhatsApp unless it is set so', async () => {
  const { EMAIL_PROVIDER, SMS_PROVIDER, WHATSAPP_PROVIDER, ...unnamed } = production
  const warnings = await warningsWith(unnamed)
  assert.deepEqual(
    warnings.map((warning) => warning.replace(/ Set it to.*/, '')),
    ['EMAIL_PROVIDER', 'SMS_PROVIDER', 'WHATSAPP_PROVIDER'].map(
      (name) => `${name} is capture: messages are kept in the inbox and sent nowhere.`,
    ),
  )
  const [email, ...more] = await warningsWith({ ...production, EMAIL_PROVIDER: 'capture' })
  assert.match(email!, /^EMAIL_PROVIDER is capture.* Set it to smtp or ses or direct\.$/)
  assert.deepEqual(more, [])
  const [sandbox] = await warningsWith({
    ...production,
    PAYMENTS_PROVIDER: 'sandbox',
    ALLOW_SANDBOX_PAYMENTS: 'on',
  })
  assert.match(sandbox!, /^PAYMENTS_PROVIDER is sandbox: nothing is charged/)
})

test('a Redis that cannot be reached is named with the reason', async () => {
  const redis = { REDIS_URL: 'redis://user:a-password@127.0.0.1:1' }
  const other = await createTestApp(redis)
  const [warning, ...more] = await startWarnings(redis, other)
  assert.deepEqual(more, [])
  assert.match(warning!, /^REDIS_URL names a Redis that cannot be reached \(.*ECONNREFUSED.*\): each process counts/)
  assert.ok(!warning!.includes('a-password'))
})

test('a certificate of the SMTP ports that has expired is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-warnings-'))
  after(() => rmSync(folder, { recursive: true }))
  const write = (until?: string) => {
    writeFileSync(join(folder, 'tls.pem'), selfSigned(['mail.shop.test'], until))
    return { SMTP_TLS_CERT: join(folder, 'tls.pem'), SMTP_TLS_KEY: join(folder, 'tls.pem') }
  }
  assert.deepEqual(await warningsWith(write()), [])
  assert.deepEqual(await warningsWith(write('20210101000000Z')), [
    'SMTP_TLS_CERT holds a certificate that expired on 2021-01-01T00:00:00.000Z: most clients refuse it.',
  ])
})
