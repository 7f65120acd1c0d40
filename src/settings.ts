import { oauthProviders } from './auth/oauth-providers.ts'
import { paymentsProviders } from './billing/payments/providers/registry.ts'
import { stripeSettings } from './billing/payments/providers/stripe/settings.ts'
import { emailProviders } from './emails/providers/registry.ts'
import * as kind from './platform/environment/parsers.ts'
import type { Settings } from './platform/environment/settings.ts'
import type { ProviderDescription } from './platform/provider.ts'
import { server, storage } from './platform/settings.ts'
import { retentionSettings } from './retention/settings.ts'
import { smsProviders } from './sms/providers/registry.ts'
import { systemMailSettings } from './system-mail/settings.ts'
import { whatsappProviders } from './whatsapp/providers/registry.ts'
import { chatHosts } from './workflows/calls/chat-hosts.ts'

const accounts = {
  signup: {
    variable: 'SIGNUP',
    kind: kind.oneOf('open', 'closed'),
    default: 'open',
    productionDefault: 'closed',
    about: '`closed` leaves creating accounts to the operator (`npx posthorn user create`).',
  },
  oauthProviders: {
    variable: 'OAUTH_PROVIDERS',
    kind: oauthProviders,
    default: '{}',
    about: 'OpenID Connect issuers to sign in with, by the names that clients use for them.',
  },
  ...systemMailSettings,
} satisfies Settings

const email = {
  emailProvider: {
    variable: 'EMAIL_PROVIDER',
    kind: oneOfProviders(emailProviders),
    default: 'capture',
    about: 'Sends email.',
  },
  emailUnreachable: {
    variable: 'EMAIL_UNREACHABLE',
    kind: kind.oneOf('queue', 'refuse'),
    default: 'queue',
    about:
      '`queue`: an email whose provider cannot be reached or refuses it for now waits as `delayed`, and is tried for 24 hours. `refuse`: the answer is 502, and nothing is kept.',
  },
  emailLostReply: {
    variable: 'EMAIL_LOST_REPLY',
    kind: kind.oneOf('repeat', 'never'),
    default: 'repeat',
    about:
      '`repeat`: an email whose connection is lost after the message and before the answer is sent at most twice more, with the same Message-ID. `never`: it is not. Emails of broadcasts never are.',
  },
  smtpListen: {
    variable: 'SMTP_LISTEN',
    kind: kind.host,
    unset: '`HOST`',
    about:
      'Address that the SMTP ports listen on. `0.0.0.0` opens them to other machines while HTTP stays behind a proxy on this one.',
  },
  smtpPort: {
    variable: 'SMTP_PORT',
    kind: kind.portOrOff,
    default: '2587',
    about: 'Port of SMTP submission with STARTTLS; `0` picks a free one.',
  },
  smtpsPort: {
    variable: 'SMTPS_PORT',
    kind: kind.portOrOff,
    default: '2465',
    about: 'Port of SMTP submission with TLS from the start; `0` picks a free one.',
  },
  publicSmtpPort: {
    variable: 'PUBLIC_SMTP_PORT',
    kind: kind.shownPortOrOff,
    unset: 'the port of `SMTP_PORT`',
    about:
      'Port under which mail programs reach `SMTP_PORT`, where another one is mapped to it, such as 587. The dashboard shows it.',
  },
  publicSmtpsPort: {
    variable: 'PUBLIC_SMTPS_PORT',
    kind: kind.shownPortOrOff,
    unset: 'the port of `SMTPS_PORT`',
    about: 'The same for `SMTPS_PORT`, such as 465. `off` shows none.',
  },
  smtpTlsCert: {
    variable: 'SMTP_TLS_CERT',
    kind: kind.text,
    unset: 'self-signed',
    about: 'PEM file of the certificate for the SMTP ports.',
  },
  smtpTlsKey: { variable: 'SMTP_TLS_KEY', kind: kind.text, about: "PEM file of the certificate's key." },
  inboundSmtpPort: {
    variable: 'INBOUND_SMTP_PORT',
    kind: kind.portOrOff,
    default: 'off',
    about:
      "Port for bounces and complaints; map port 25 of the host in the domains' MX records to it. It accepts signed return addresses, `abuse@` and `postmaster@` only. Set it on every process that sends, so that each recipient gets its own return address.",
  },
  trackingSubdomains: {
    variable: 'TRACKING_SUBDOMAINS',
    kind: kind.oneOf('on', 'off'),
    default: 'off',
    about: "`on` sends tracked links through each domain's own subdomain, for which your proxy needs certificates.",
  },
  snsSignatureVersion: {
    variable: 'SNS_SIGNATURE_VERSION',
    kind: kind.oneOf('any', '2'),
    default: 'any',
    about: '`2` accepts only notifications of Amazon SNS that are signed with SHA-256, for email and SMS.',
  },
} satisfies Settings

const sms = {
  smsProvider: {
    variable: 'SMS_PROVIDER',
    kind: oneOfProviders(smsProviders),
    default: 'capture',
    about: 'Sends SMS.',
  },
  senderNumbers: {
    variable: 'SENDER_NUMBERS',
    kind: kind.oneOf('claim', 'assigned'),
    unset: '`claim`; in production with `SIGNUP=open` `assigned`',
    about:
      "`claim` gives a number of the operator's account to the first team that verifies it; with `assigned` the operator gives them out. It holds for SMS and WhatsApp.",
  },
} satisfies Settings

const whatsapp = {
  whatsappProvider: {
    variable: 'WHATSAPP_PROVIDER',
    kind: oneOfProviders(whatsappProviders),
    default: 'capture',
    about: 'Sends WhatsApp messages.',
  },
  whatsappWebhookSecret: {
    variable: 'WHATSAPP_WEBHOOK_SECRET',
    kind: kind.secret,
    unset: 'derived from `APP_SECRET`, shown in `DATA_DIR`',
    about: 'Signs what is posted to `/v1/whatsapp/webhooks/inbound`.',
  },
} satisfies Settings

const payments = {
  paymentsProvider: {
    variable: 'PAYMENTS_PROVIDER',
    kind: oneOfProviders(paymentsProviders),
    default: 'sandbox',
    productionDefault: null,
    about: 'Sells plans; see [billing.md](billing.md).',
  },
  allowSandboxPayments: {
    variable: 'ALLOW_SANDBOX_PAYMENTS',
    kind: kind.oneOf('on', 'off'),
    default: 'off',
    about: '`on` allows the payment sandbox in production, where it gives away every plan.',
  },
  /** The sandbox signs its events with it too. */
  stripeWebhookSecret: stripeSettings.webhookSecret,
} satisfies Settings

const repeats = {
  webhookRetryDelaysMs: {
    variable: 'WEBHOOK_RETRY_DELAYS',
    kind: kind.durations,
    default: '5m,30m,2h,5h,10h',
    about: 'Delays after failed attempts of a webhook.',
  },
  webhookTimeoutMs: {
    variable: 'WEBHOOK_TIMEOUT',
    kind: kind.duration,
    default: '15s',
    about: 'Time limit of a webhook endpoint.',
  },
  nodeRetryDelaysMs: {
    variable: 'NODE_RETRY_DELAYS',
    kind: kind.durations,
    default: '1s,5s,25s',
    about: 'Delays after failed attempts of a workflow node.',
  },
  chatHosts: {
    variable: 'CHAT_HOSTS',
    kind: chatHosts,
    default: '',
    about:
      'Hosts, beside those of Slack and Discord, to which the notifications in workflows of marketers may post. Owners, admins and developers need none.',
  },
  longDelayMs: {
    variable: 'LONG_DELAY',
    kind: kind.duration,
    default: '30s',
    about: 'An execution in a longer delay has the status `waiting`.',
  },
} satisfies Settings

/** Every setting except those that providers declare. */
export const settings = {
  ...server,
  ...storage,
  ...accounts,
  ...email,
  ...sms,
  ...whatsapp,
  ...payments,
  ...repeats,
  ...retentionSettings,
}

/** The channels with their providers, and the setting that chooses one. */
export const channels = [
  { choice: 'emailProvider', providers: emailProviders },
  { choice: 'smsProvider', providers: smsProviders },
  { choice: 'whatsappProvider', providers: whatsappProviders },
  { choice: 'paymentsProvider', providers: paymentsProviders },
] as const satisfies { choice: keyof typeof settings; providers: readonly ProviderDescription[] }[]

/** All settings by subject, for the documentation. */
export const settingsBySubject: [subject: string, settings: Settings][] = [
  ['Server', server],
  ['Database and secrets', storage],
  ['Accounts', accounts],
  ['Email', email],
  ['SMS', sms],
  ['WhatsApp', whatsapp],
  ['Payments', payments],
  ['Webhooks and workflows', repeats],
  ['Retention', retentionSettings],
]

function oneOfProviders(providers: readonly ProviderDescription[]): kind.Parser<string> {
  return kind.oneOf(...providers.map(({ name }) => name))
}

export const settingVariables: readonly string[] = [
  'NODE_ENV',
  ...[settings, ...channels.flatMap(({ providers }) => providers.map((provider) => provider.settings))].flatMap(
    (declared: Settings) => Object.values(declared).map(({ variable }) => variable),
  ),
]
