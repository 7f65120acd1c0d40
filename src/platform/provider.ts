import { type ChosenValues, type Settings, settingsOf } from './environment/settings.ts'
import type { Route } from './http/route.ts'

/** The part of a declaration that providers of every kind share. */
export type ProviderDescription = {
  /** The value of the variable that chooses the provider: `SMS_PROVIDER=twilio`. */
  name: string
  /** One sentence in Markdown, for the documentation. */
  about: string
  settings: Settings
  /** Served even if another provider is chosen, since events of earlier messages still arrive after a switch. */
  routes: Route[]
  /** Says in one line what the provider cannot do with these settings of the server; null if it can do everything. */
  warn?(config: { publicUrl: string | null }): string | null
}

/** A provider in the registry of its channel. The app gives `Parts` to every provider of the channel. */
export type ProviderModule<Parts, Provider> = ProviderDescription & {
  create(settings: object, parts: Parts): Provider
}

type ProviderDeclaration<S extends Settings, Parts, Provider> = ProviderDescription & {
  settings: S
  create(settings: ChosenValues<S>, parts: Parts): Provider
}

/** Returns the function by which the modules of a channel declare their providers. `More`: what they declare beside. */
export function declaresProviders<Parts, Provider, More = unknown>() {
  return <S extends Settings>(
    declaration: ProviderDeclaration<S, Parts, Provider> & More,
  ): ProviderModule<Parts, Provider> & More => declaration
}

export function createProvider<Parts extends { config: Parameters<typeof settingsOf>[0] }, Provider>(
  modules: readonly ProviderModule<Parts, Provider>[],
  name: string,
  parts: Parts,
): Provider {
  const chosen = modules.find((module) => module.name === name)
  if (!chosen) throw new Error(`There is no provider ${name}.`)
  return chosen.create(settingsOf(parts.config, chosen.settings), parts)
}
