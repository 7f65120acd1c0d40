import type { OauthProviders } from './auth/oauth-providers.ts'
import { type Environment, refuseVariable } from './platform/environment/read.ts'
import { estimateSecretBits, leastSecretBits } from './platform/environment/secret-strength.ts'
import { type Settings, settingsReader } from './platform/environment/settings.ts'
import { channels, settings } from './settings.ts'
import { refuseHalfSystemMail } from './system-mail/settings.ts'

/** The environment, read once. `settings.ts` says what each value means. */
export type Config = Readonly<ReturnType<typeof readConfig>>

export type { OauthProviders }

/** Reads and checks every variable. Throws `ConfigError`, which names the variable, what it must be, and what it was. */
export function readConfig(environment: Environment) {
  const read = settingsReader(environment)
  const production = environment.NODE_ENV === 'production'
  const { paymentsProvider, ...values } = read(settings)
  const config = {
    ...values,
    production,
    paymentsProvider:
      paymentsProvider ??
      refuseVariable('PAYMENTS_PROVIDER', 'stripe, or none for no billing, with NODE_ENV=production', undefined),
    /** Secrets derived from older values of APP_SECRET, filled in at the start. */
    whatsappWebhookSecretsPrevious: [] as readonly string[],
    stripeWebhookSecretsPrevious: [] as readonly string[],
    /** The values of each provider's settings. `settingsOf` reads them. */
    providerSettings: readProviders(read),
  }
  if (production) refuseUnsafeProduction(config)
  refuseHalfSystemMail(config)
  for (const { choice, providers } of channels) {
    const chosen = providers.find(({ name }) => name === config[choice])!
    refuseMissing(chosen.settings, config.providerSettings, `${settings[choice].variable}=${chosen.name}`)
  }
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
