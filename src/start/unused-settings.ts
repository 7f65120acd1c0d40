import type { Config } from '../context.ts'
import type { Environment } from '../platform/environment/read.ts'
import type { Setting } from '../platform/environment/settings.ts'
import type { ProviderDescription } from '../platform/provider.ts'
import { channels, settings } from '../settings.ts'

/** Warns of settings of providers that are not chosen: a relay that is named, and through which no mail goes. */
export function unusedSettings(environment: Environment, config: Config): string[] {
  return channels.flatMap(({ choice, providers }) => {
    const { variable } = settings[choice]
    const known: readonly ProviderDescription[] = providers
    const chosen = known.find(({ name }) => name === config[choice])!
    return known.flatMap((provider) => {
      const names = provider === chosen || mayBeFormer(provider, chosen) ? [] : namesSet(environment, provider)
      if (names.length === 0) return []
      const { name } = provider
      return `${variable} is ${chosen.name}, so these settings of ${name} are not used: ${names.join(', ')}. Set ${variable}=${name}, or leave them out.`
    })
  })
}

/** Events of messages that went out with a former provider still arrive, and need its settings. */
function mayBeFormer(provider: ProviderDescription, chosen: ProviderDescription): boolean {
  // Those without settings send nothing: capture, the payment sandbox, none.
  const sends = Object.keys(chosen.settings).length > 0
  return sends && provider.routes.length > 0
}

function namesSet(environment: Environment, provider: ProviderDescription): string[] {
  const shared = new Set<Setting>(Object.values(settings))
  return Object.values(provider.settings)
    .filter((setting) => !shared.has(setting))
    .map(({ variable }) => variable)
    .filter((variable) => environment[variable] || environment[`${variable}_FILE`])
}
