import type { Config } from './context.ts'
import { type Environment, refuseVariable } from './platform/environment/read.ts'
import { estimateSecretBits, leastSecretBits } from './platform/environment/secret-strength.ts'
import { type Settings, settingsReader } from './platform/environment/settings.ts'
import { judgeProduction } from './production.ts'
import { channels, settings } from './settings.ts'
import { refuseHalfSystemMail } from './system-mail/settings.ts'

declare module './context.ts' {
  interface Config extends Readonly<ReturnType<typeof readConfig>> {}
}

/**
 * Reads and checks every variable. Throws `ConfigError`, which names the variable, what it must be, and what it was.
 */
export function readConfig(environment: Environment) {
  const { isProduction: production, cause } = judgeProduction(environment)
  const read = settingsReader(environment, production)
  const { paymentsProvider, senderNumbers, ...values } = read(settings)
  /** The values of each provider's settings. `settingsOf` reads them. */
  const providerSettings = readProviders(read)
  for (const { choice, providers } of channels) {
    const chosen = providers.find(({ name }) => name === { paymentsProvider, ...values }[choice])
    if (chosen) refuseMissing(chosen.settings, providerSettings, `${settings[choice].variable}=${chosen.name}`)
  }
  const config = {
    ...values,
    production,
    // Strangers could claim the numbers of the operator's account.
    senderNumbers: senderNumbers ?? (production && values.signup === 'open' ? 'assigned' : 'claim'),
    /** The setting for which this is production, or would be without TRIAL=on. Null on a developer's machine. */
    productionCause: cause,
    paymentsProvider:
      paymentsProvider ??
      refuseUnsafe(cause, 'PAYMENTS_PROVIDER', `stripe, or none for no billing, with ${cause}`, undefined),
    /** Secrets derived from older values of APP_SECRET, filled in at the start. */
    whatsappWebhookSecretsPrevious: [] as readonly string[],
    stripeWebhookSecretsPrevious: [] as readonly string[],
    providerSettings,
  }
  if (production) refuseUnsafeProduction(config)
  refuseHalfSystemMail(config)
  return Object.freeze(config)
}

/** Reads the settings of every provider, chosen or not: events still arrive for messages sent with a former one. */
function readProviders(read: ReturnType<typeof settingsReader>): ReadonlyMap<Settings, Record<string, unknown>> {
  const all = channels.flatMap(({ providers }) => providers.map((provider) => provider.settings))
  return new Map(all.map((declared) => [declared, read(declared)]))
}

function refuseMissing(declared: Settings, values: ReturnType<typeof readProviders>, choice: string): void {
  for (const [name, { required, variable }] of Object.entries(declared)) {
    if (required && values.get(declared)![name] === null) refuseVariable(variable, `set with ${choice}`, undefined)
  }
}

/** Refuses settings that are unsafe on a public server. */
function refuseUnsafeProduction({
  appSecret,
  paymentsProvider,
  allowSandboxPayments,
  productionCause: cause,
}: Pick<Config, 'appSecret' | 'paymentsProvider' | 'allowSandboxPayments' | 'productionCause'>): void {
  const howTo = `with ${cause}, such as the output of: openssl rand -hex 32`
  if (!appSecret) refuseUnsafe(cause, 'APP_SECRET', `set ${howTo}`, undefined)
  if (estimateSecretBits(appSecret) < leastSecretBits) {
    const was = 'a text that can be guessed, not shown'
    refuseUnsafe(cause, 'APP_SECRET', `${leastSecretBits} random bits or more ${howTo}`, was)
  }
  if (paymentsProvider === 'sandbox' && allowSandboxPayments === 'off') {
    const must = `stripe or none with ${cause}, since the sandbox gives every plan for nothing (ALLOW_SANDBOX_PAYMENTS=on allows it for a trial)`
    refuseUnsafe(cause, 'PAYMENTS_PROVIDER', must, paymentsProvider)
  }
}

/** Refuses a setting in production. Whoever did not ask for production by name is told how to try the server. */
function refuseUnsafe(cause: string | null, name: string, must: string, was: string | undefined): never {
  const isNamed = cause === 'NODE_ENV=production'
  return refuseVariable(name, must, was, isNamed ? null : 'For a trial among people you trust, set TRIAL=on.')
}
