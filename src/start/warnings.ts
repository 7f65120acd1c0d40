import type { RunningApp } from '../app.ts'
import type { Config } from '../context.ts'
import { isLoopback } from '../platform/egress/loopback.ts'
import { findMisspelt } from '../platform/environment/misspelt.ts'
import type { Environment } from '../platform/environment/read.ts'
import type { ProviderDescription } from '../platform/provider.ts'
import { channels, settings, settingVariables } from '../settings.ts'
import { certificateWarning } from '../smtp/tls.ts'
import { systemMailWarning } from '../system-mail/warn.ts'
import { unusedSettings } from './unused-settings.ts'

/** Returns what the settings of a start get wrong though it works, one line each. */
export async function startWarnings(environment: Environment, running: RunningApp): Promise<string[]> {
  const { app, redisFault } = running
  const { config } = app
  const [redis, systemMail] = await Promise.all([redisFault(), systemMailWarning(app)])
  const warnings = [
    ...misspeltSettings(environment),
    ...unusedSettings(environment, config),
    ...sentNowhere(environment, config),
    ...unsharedSecret(config),
    ...paymentSandbox(config),
    ...openTrial(config, environment),
    ...strangersLinks(config),
    ...returnedMailUnreached(config),
    ...ofProviders(config),
    certificateWarning(config, app.clock.now()),
    redis &&
      `REDIS_URL names a Redis that cannot be reached (${redis}): each process counts requests a minute alone until it can.`,
    systemMail,
  ]
  return warnings.filter((warning) => warning !== null)
}

/** Read by the SDK, by the commands over HTTP and by `posthorn backup`, which may run beside the server. */
const ofClients = ['POSTHORN_API_KEY', 'POSTHORN_URL', 'POSTHORN_PROFILE', 'POSTHORN_BACKUP_PASSPHRASE']

function misspeltSettings(environment: Environment): string[] {
  return findMisspelt(environment, [...settingVariables, ...ofClients]).map(({ given, meant }) => {
    const advice = meant === null ? 'docs/settings.md has them all' : `did you mean ${meant}?`
    return `${given} is not a setting and does nothing: ${advice}`
  })
}

/**
 * In production a provider that keeps messages here is likely forgotten. Written out for SMS or WhatsApp, it is meant.
 */
function sentNowhere(environment: Environment, config: Config): string[] {
  if (!config.production) return []
  return channels.flatMap(({ choice, providers }) => {
    const { variable } = settings[choice]
    const isMeant = choice !== 'emailProvider' && (environment[variable] || environment[`${variable}_FILE`])
    if (config[choice] !== 'capture' || isMeant) return []
    const others = providers.map(({ name }) => name).filter((name) => name !== 'capture')
    const orMeant = choice === 'emailProvider' ? '' : `, or to capture if that is meant`
    return `${variable} is capture: messages are kept in the inbox and sent nowhere. Set it to ${others.join(' or ')}${orMeant}.`
  })
}

function unsharedSecret({ appSecret, databaseUrl }: Config): string[] {
  if (appSecret || !databaseUrl) return []
  return [
    'APP_SECRET is not set: this process generated one in DATA_DIR. Processes on the same database must share one.',
  ]
}

function paymentSandbox({ production, paymentsProvider }: Config): string[] {
  if (!production || paymentsProvider !== 'sandbox') return []
  return [
    'PAYMENTS_PROVIDER is sandbox: nothing is charged, and every full_access key can take any plan. Set it to stripe for a service with customers.',
  ]
}

function openTrial({ production, productionCause }: Config, { NODE_ENV, TRIAL }: Environment): string[] {
  if (NODE_ENV === 'production' && TRIAL === 'on')
    return ['TRIAL=on has no effect with NODE_ENV=production. For a trial set NODE_ENV=development too.']
  if (production || !productionCause) return []
  return [
    `TRIAL is on with ${productionCause}: unless other settings say otherwise, whoever reaches this server can sign up and take any plan. Leave TRIAL out for a service that strangers reach.`,
  ]
}

/** Strangers' mail then leads through links of the operator's name, whose reputation they use up. */
function strangersLinks({ production, signup, trackingSubdomains, publicUrl }: Config): string[] {
  if (!production || signup === 'closed' || trackingSubdomains === 'on' || !publicUrl) return []
  return [
    `SIGNUP is open and TRACKING_SUBDOMAINS is off: tracked links in the mail of every team have the name ${new URL(publicUrl).host}. Set TRACKING_SUBDOMAINS to on, so that they have the name of the team's domain.`,
  ]
}

/** Other hosts bring returned mail. A forwarder on this machine is meant where SMTP_LISTEN names its address. */
function returnedMailUnreached({ production, roles, inboundSmtpPort, smtpListen, host }: Config): string[] {
  const isOpen = roles.includes('smtp') && inboundSmtpPort !== 'off'
  if (!production || !isOpen || smtpListen !== null || !isLoopback(host)) return []
  return [
    `INBOUND_SMTP_PORT is open on ${host} only, where no other host can bring bounces. Set SMTP_LISTEN to 0.0.0.0, or to ${host} if that is meant.`,
  ]
}

function ofProviders(config: Config): string[] {
  return channels.flatMap(({ choice, providers }) => {
    const known: readonly ProviderDescription[] = providers
    return known.find(({ name }) => name === config[choice])?.warn?.(config) ?? []
  })
}
