import { type ChosenValues, type Settings, settingsOf } from './environment/settings.ts'
import type { Route } from './http/route.ts'

/** The part of a declaration that providers of every kind share. */
export type ProviderDescription = {
  /** As the choosing variable has it: `SMS_PROVIDER=twilio`. */
  name: string
  /** One sentence in Markdown, for the documentation. */
  about: string
  settings: Settings
  /** Served whichever provider is chosen, since events of earlier messages still arrive after a switch. */
  routes: Route[]
}

/** A provider as the registry of its channel lists it. `Parts` are what the app gives every provider of the channel. */
export type ProviderModule<Parts, Provider> = ProviderDescription & {
  create(settings: object, parts: Parts): Provider
}

/** A provider as its module declares it, with its own settings typed. */
export type ProviderDeclaration<S extends Settings, Parts, Provider> = ProviderDescription & {
  settings: S
  create(settings: ChosenValues<S>, parts: Parts): Provider
}

/** Creates the provider of that name. */
export function createProvider<Parts extends { config: Parameters<typeof settingsOf>[0] }, Provider>(
  modules: readonly ProviderModule<Parts, Provider>[],
  name: string,
  parts: Parts,
): Provider {
  const chosen = modules.find((module) => module.name === name)
  if (!chosen) throw new Error(`There is no provider ${name}.`)
  return chosen.create(settingsOf(parts.config, chosen.settings), parts)
}
