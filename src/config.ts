import { type OauthProviders, oauthProviders } from './auth/oauth-providers.ts'
import { validateRelayUrl } from './emails/providers/smtp.ts'
import * as kind from './platform/environment/parsers.ts'
import { type Environment, environmentReader, refuseVariable } from './platform/environment/read.ts'
import { estimateSecretBits, leastSecretBits } from './platform/environment/secret-strength.ts'

/** The environment, read once. */
export type Config = Readonly<ReturnType<typeof readConfig>>

export type { OauthProviders }

/** Reads and checks every variable; a bad one is a `ConfigError` that says which, what it must be, and what it was. */
export function readConfig(environment: Environment) {
  const read = environmentReader(environment)
  const production = environment.NODE_ENV === 'production'
  const config = {
    production,
    port: read('PORT', '3000', kind.port),
    host: read('HOST', '127.0.0.1', kind.text),
    /** Null: `http://localhost:` and the port that was opened. */
    publicUrl: read('PUBLIC_URL', null, kind.webUrl),
    /** On: tracked links lead to `track.<domain>` where its record is verified; whatever stands before us answers there, over https with a certificate. */
    trackingSubdomains: read('TRACKING_SUBDOMAINS', 'off', kind.oneOf('on', 'off')),
    databaseUrl: read('DATABASE_URL', null, databaseUrl),
    dataDir: read('DATA_DIR', './data', kind.text),
    appSecret: read('APP_SECRET', null, kind.longSecret),
    /** Secrets that still verify and decrypt beside APP_SECRET. */
    appSecretPrevious: read('APP_SECRET_PREVIOUS', '', kind.longSecrets),
    roles: read('ROLES', 'api,worker,smtp', kind.setOf('api', 'worker', 'smtp')),
    redisUrl: read('REDIS_URL', null, kind.urlOf('redis[s]://user:pass@host:port/n', 'redis:', 'rediss:')),
    emailProvider: read('EMAIL_PROVIDER', 'capture', kind.oneOf('capture', 'smtp', 'ses', 'direct')),
    smtpRelayUrl: read('SMTP_RELAY_URL', null, relayUrl),
    smtpPort: read('SMTP_PORT', '2587', kind.portOrOff),
    smtpsPort: read('SMTPS_PORT', '2465', kind.portOrOff),
    smtpTlsCert: read('SMTP_TLS_CERT', null, kind.text),
    smtpTlsKey: read('SMTP_TLS_KEY', null, kind.text),
    /** Where returned mail comes in: bounce messages and complaints. */
    inboundSmtpPort: read('INBOUND_SMTP_PORT', 'off', kind.portOrOff),
    /** The port receiving hosts are asked at; another than 25 only for trials. */
    directSmtpPort: read('DIRECT_SMTP_PORT', '25', kind.port),
    sesConfigurationSet: read('SES_CONFIGURATION_SET', null, kind.text),
    /** In place of Amazon's own: an endpoint of the same protocol. */
    sesEndpoint: read('SES_ENDPOINT', null, kind.webUrl),
    /** Topics whose notifications are believed; without any, whichever first sends a confirmation is not confirmed. */
    sesTopicArns: read('SES_TOPIC_ARNS', '', kind.words),
    /** Version 1 is SHA-1: `2` takes only what is signed with SHA-256. */
    snsSignatureVersion: read('SNS_SIGNATURE_VERSION', 'any', kind.oneOf('any', '2')),
    smsProvider: read('SMS_PROVIDER', 'capture', kind.oneOf('capture', 'aws', 'twilio')),
    /** Whether a team may claim a provider's number by verifying it first, or the operator assigns them. */
    senderNumbers: read('SENDER_NUMBERS', 'claim', kind.oneOf('claim', 'assigned')),
    /** AWS End User Messaging is one service a region, each with its own numbers and topics. */
    smsAwsRegion: read('SMS_AWS_REGION', null, awsRegion),
    smsAwsConfigurationSet: read('SMS_AWS_CONFIGURATION_SET', null, kind.text),
    smsAwsEndpoint: read('SMS_AWS_ENDPOINT', null, kind.webUrl),
    smsAwsTopicArns: read('SMS_AWS_TOPIC_ARNS', '', kind.words),
    twilioAccountSid: read('TWILIO_ACCOUNT_SID', null, accountSid),
    twilioAuthToken: read('TWILIO_AUTH_TOKEN', null, kind.secret),
    twilioApiBase: read('TWILIO_API_BASE', 'https://api.twilio.com', kind.webUrl),
    /** Its senders are used, and what was set for it; the senders of teams must be among them. */
    twilioMessagingServiceSid: read('TWILIO_MESSAGING_SERVICE_SID', null, kind.text),
    whatsappProvider: read('WHATSAPP_PROVIDER', 'capture', kind.oneOf('capture', 'meta')),
    metaAccessToken: read('META_ACCESS_TOKEN', null, kind.secret),
    metaApiBase: read('META_API_BASE', 'https://graph.facebook.com', kind.webUrl),
    metaApiVersion: read('META_API_VERSION', 'v23.0', graphVersion),
    /** Signs what Meta posts to `/providers/meta/whatsapp`. */
    metaAppSecret: read('META_APP_SECRET', null, kind.secret),
    /** What Meta's console is told beside the address of the webhook. */
    metaVerifyToken: read('META_VERIFY_TOKEN', null, kind.secret),
    /** With it, numbers that are not registered for the Cloud API yet are registered when their sender is verified. */
    metaRegistrationPin: read('META_REGISTRATION_PIN', null, sixDigits),
    whatsappWebhookSecret: read('WHATSAPP_WEBHOOK_SECRET', null, kind.secret),
    /** Those that followed from older values of APP_SECRET; filled in at the start. */
    whatsappWebhookSecretsPrevious: [] as readonly string[],
    /** `none`: plans are set by command, and nothing is bought. */
    paymentsProvider:
      read('PAYMENTS_PROVIDER', production ? null : 'sandbox', kind.oneOf('sandbox', 'stripe', 'none')) ??
      refuseVariable('PAYMENTS_PROVIDER', 'stripe, or none for no billing, with NODE_ENV=production', undefined),
    /** In production, where the sandbox gives any plan for nothing. */
    allowSandboxPayments: read('ALLOW_SANDBOX_PAYMENTS', 'off', kind.oneOf('on', 'off')),
    stripeSecretKey: read('STRIPE_SECRET_KEY', null, kind.secret),
    stripeApiBase: read('STRIPE_API_BASE', null, kind.webUrl),
    stripeWebhookSecret: read('STRIPE_WEBHOOK_SECRET', null, kind.secret),
    stripeWebhookSecretsPrevious: [] as readonly string[],
    /** The Bearer token that `/metrics` asks for. */
    metricsToken: read('METRICS_TOKEN', null, kind.token),
    publicRequestsPerMinute: read('PUBLIC_REQUESTS_PER_MINUTE', '600', kind.positiveInteger),
    trustProxy: read('TRUST_PROXY', '', kind.cidrs),
    dnsServers: read('DNS_SERVERS', '', kind.dnsServers),
    outboundAllow: read('OUTBOUND_ALLOW', '', kind.cidrs),
    webhookRetryDelaysMs: read('WEBHOOK_RETRY_DELAYS', '5m,30m,2h,5h,10h', kind.durations),
    webhookTimeoutMs: read('WEBHOOK_TIMEOUT', '15s', kind.duration),
    nodeRetryDelaysMs: read('NODE_RETRY_DELAYS', '1s,5s,25s', kind.durations),
    longDelayMs: read('LONG_DELAY', '30s', kind.duration),
    oauthProviders: read('OAUTH_PROVIDERS', '{}', oauthProviders),
    signup: read('SIGNUP', production ? 'closed' : 'open', kind.oneOf('open', 'closed')),
    /** Whom to tell of vulnerabilities; served at `/.well-known/security.txt`. */
    securityContact: read('SECURITY_CONTACT', null, kind.contact),
    logLevel: read('LOG_LEVEL', 'info', kind.oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')),
    quickstart: read('POSTHORN_QUICKSTART', 'on', kind.oneOf('on', 'off')),
  }
  if (production) refuseUnsafeProduction(config)
  if (config.emailProvider === 'smtp' && !config.smtpRelayUrl) {
    refuseVariable('SMTP_RELAY_URL', 'smtp[s]://user:pass@host:port with EMAIL_PROVIDER=smtp', undefined)
  }
  if (config.paymentsProvider === 'stripe' && !config.stripeSecretKey) {
    refuseVariable('STRIPE_SECRET_KEY', 'set with PAYMENTS_PROVIDER=stripe', undefined)
  }
  if (config.paymentsProvider === 'stripe' && !config.stripeWebhookSecret) {
    refuseVariable('STRIPE_WEBHOOK_SECRET', 'set with PAYMENTS_PROVIDER=stripe', undefined)
  }
  const { smsProvider, whatsappProvider } = config
  if (smsProvider === 'aws') refuseMissing('SMS_PROVIDER=aws', { SMS_AWS_REGION: config.smsAwsRegion })
  if (smsProvider === 'twilio') {
    const { twilioAccountSid: TWILIO_ACCOUNT_SID, twilioAuthToken: TWILIO_AUTH_TOKEN } = config
    refuseMissing('SMS_PROVIDER=twilio', { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN })
  }
  if (whatsappProvider === 'meta') {
    const { metaAccessToken: META_ACCESS_TOKEN, metaAppSecret: META_APP_SECRET } = config
    const { metaVerifyToken: META_VERIFY_TOKEN } = config
    refuseMissing('WHATSAPP_PROVIDER=meta', { META_ACCESS_TOKEN, META_APP_SECRET, META_VERIFY_TOKEN })
  }
  return Object.freeze(config)
}

/** Refuses settings that are unsafe on a server that strangers reach. */
function refuseUnsafeProduction({
  appSecret,
  paymentsProvider,
  allowSandboxPayments,
}: Pick<Config, 'appSecret' | 'paymentsProvider' | 'allowSandboxPayments'>): void {
  const howTo = 'with NODE_ENV=production, such as the output of: openssl rand -hex 32'
  if (!appSecret) refuseVariable('APP_SECRET', `set ${howTo}`, undefined)
  if (estimateSecretBits(appSecret) < leastSecretBits) {
    refuseVariable(
      'APP_SECRET',
      `${leastSecretBits} random bits or more ${howTo}`,
      'a text that can be guessed, not shown',
    )
  }
  if (paymentsProvider === 'sandbox' && allowSandboxPayments === 'off') {
    const must =
      'stripe or none with NODE_ENV=production, since the sandbox gives every plan for nothing (ALLOW_SANDBOX_PAYMENTS=on allows it for a trial)'
    refuseVariable('PAYMENTS_PROVIDER', must, paymentsProvider)
  }
}

function refuseMissing(choice: string, variables: Record<string, string | null>): void {
  for (const [name, value] of Object.entries(variables))
    if (value === null) refuseVariable(name, `set with ${choice}`, undefined)
}

const awsRegion: kind.Parser<string> = {
  must: 'a region of Amazon such as us-east-1',
  parse: (value) => (/^[a-z]{2}(-[a-z]+)+-\d{1,2}$/.test(value) ? value : undefined),
}

const accountSid: kind.Parser<string> = {
  must: 'the SID of an account, which begins with AC',
  parse: (value) => (/^AC\w{1,64}$/.test(value) ? value : undefined),
}

const graphVersion: kind.Parser<string> = {
  must: 'a version of the Graph API such as v23.0',
  parse: (value) => (/^v\d{1,3}\.\d{1,2}$/.test(value) ? value : undefined),
}

const sixDigits: kind.Parser<string> = {
  must: 'six digits',
  secret: true,
  parse: (value) => (/^\d{6}$/.test(value) ? value : undefined),
}

const databaseUrl = kind.urlOf('postgres://user:pass@host:port/database', 'postgres:', 'postgresql:')

const relayUrl: kind.Parser<string> = {
  must: 'smtp[s]://user:pass@host:port',
  secret: true,
  parse: (value) => (validateRelayUrl(value) === null ? value : undefined),
}
