import { type OauthProviders, oauthProviders } from './auth/oauth-providers.ts'
import { validateRelayUrl } from './emails/providers/smtp.ts'
import * as kind from './platform/environment/parsers.ts'
import { type Environment, environmentReader, refuseVariable } from './platform/environment/read.ts'

/** The environment, read once. */
export type Config = Readonly<ReturnType<typeof readConfig>>

export type { OauthProviders }

/** Reads and checks every variable; a bad one is a `ConfigError` that says which, what it must be, and what it was. */
export function readConfig(environment: Environment) {
  const read = environmentReader(environment)
  const config = {
    production: environment.NODE_ENV === 'production',
    port: read('PORT', '3000', kind.port),
    host: read('HOST', '127.0.0.1', kind.text),
    /** Null: `http://localhost:` and the port that was opened. */
    publicUrl: read('PUBLIC_URL', null, kind.webUrl),
    /** On: tracked links lead to `track.<domain>` where its record is verified; whatever stands before us answers there, over https with a certificate. */
    trackingSubdomains: read('TRACKING_SUBDOMAINS', 'off', kind.oneOf('on', 'off')),
    databaseUrl: read('DATABASE_URL', null, databaseUrl),
    dataDir: read('DATA_DIR', './data', kind.text),
    appSecret: read('APP_SECRET', null, kind.longSecret),
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
    smsProvider: read('SMS_PROVIDER', 'capture', kind.oneOf('capture', 'aws', 'twilio')),
    whatsappProvider: read('WHATSAPP_PROVIDER', 'capture', kind.oneOf('capture', 'meta')),
    whatsappWebhookSecret: read('WHATSAPP_WEBHOOK_SECRET', null, kind.secret),
    paymentsProvider: read('PAYMENTS_PROVIDER', 'sandbox', kind.oneOf('sandbox', 'stripe')),
    stripeSecretKey: read('STRIPE_SECRET_KEY', null, kind.secret),
    stripeApiBase: read('STRIPE_API_BASE', null, kind.webUrl),
    stripeWebhookSecret: read('STRIPE_WEBHOOK_SECRET', null, kind.secret),
    publicRequestsPerMinute: read('PUBLIC_REQUESTS_PER_MINUTE', '600', kind.positiveInteger),
    trustProxy: read('TRUST_PROXY', '', kind.cidrs),
    dnsServers: read('DNS_SERVERS', '', kind.dnsServers),
    outboundAllow: read('OUTBOUND_ALLOW', '', kind.cidrs),
    webhookRetryDelaysMs: read('WEBHOOK_RETRY_DELAYS', '5m,30m,2h,5h,10h', kind.durations),
    webhookTimeoutMs: read('WEBHOOK_TIMEOUT', '15s', kind.duration),
    nodeRetryDelaysMs: read('NODE_RETRY_DELAYS', '1s,5s,25s', kind.durations),
    longDelayMs: read('LONG_DELAY', '30s', kind.duration),
    oauthProviders: read('OAUTH_PROVIDERS', '{}', oauthProviders),
    signup: read('SIGNUP', 'open', kind.oneOf('open', 'closed')),
    logLevel: read('LOG_LEVEL', 'info', kind.oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')),
    quickstart: read('POSTHORN_QUICKSTART', 'on', kind.oneOf('on', 'off')),
  }
  if (config.production && !config.appSecret) refuseVariable('APP_SECRET', 'set with NODE_ENV=production', undefined)
  if (config.emailProvider === 'smtp' && !config.smtpRelayUrl) {
    refuseVariable('SMTP_RELAY_URL', 'smtp[s]://user:pass@host:port with EMAIL_PROVIDER=smtp', undefined)
  }
  if (config.paymentsProvider === 'stripe' && !config.stripeSecretKey) {
    refuseVariable('STRIPE_SECRET_KEY', 'set with PAYMENTS_PROVIDER=stripe', undefined)
  }
  return Object.freeze(config)
}

const databaseUrl = kind.urlOf('postgres://user:pass@host:port/database', 'postgres:', 'postgresql:')

const relayUrl: kind.Parser<string> = {
  must: 'smtp[s]://user:pass@host:port',
  secret: true,
  parse: (value) => (validateRelayUrl(value) === null ? value : undefined),
}
