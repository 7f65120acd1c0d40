import type { Parser } from './parsers.ts'
import type { Environment } from './read.ts'
import { environmentReader } from './read.ts'

/** The declaration of a setting. docs/settings.md is generated from these declarations. */
export type Setting = {
  variable: string
  kind: Parser<unknown>
  /** The value if the variable is not set. Without a default it is null. */
  default?: string
  /** Replaces `default` in production; null for no default. */
  productionDefault?: string | null
  /** Describes the effect of a missing value, for the documentation. */
  unset?: string
  /** True for a setting that its provider requires. */
  required?: true
  /** One sentence in Markdown, for the documentation. */
  about: string
}

export type Settings = Readonly<Record<string, Setting>>

type Values<S extends Settings> = { readonly [Name in keyof S]: ValueOf<S[Name]> }

/** The values of the chosen provider, whose required settings are present. */
export type ChosenValues<S extends Settings> = {
  readonly [Name in keyof S]: S[Name] extends { required: true } ? NonNullable<ValueOf<S[Name]>> : ValueOf<S[Name]>
}

type ValueOf<S> = S extends { kind: Parser<infer T> } ? T | MissingOf<S> : never
type MissingOf<S> = S extends { productionDefault: null } ? null : S extends { default: string } ? never : null

/** Reads settings from one environment. Throws `ConfigError` for a value that the setting does not accept. */
export function settingsReader(environment: Environment, production: boolean) {
  const read = environmentReader(environment)
  return <S extends Settings>(settings: S): Values<S> => {
    const entries = Object.entries(settings).map(([name, setting]) => {
      const { variable, kind, default: usual = null, productionDefault = usual } = setting
      return [name, read(variable, production ? productionDefault : usual, kind)] as const
    })
    return Object.fromEntries(entries) as Values<S>
  }
}

/** Returns the values of a provider's settings, also if another provider is chosen. */
export function settingsOf<S extends Settings>(
  config: { providerSettings: ReadonlyMap<Settings, object> },
  settings: S,
): Values<S> {
  const values = config.providerSettings.get(settings)
  if (!values) throw new Error('These settings belong to a provider that is in no registry.')
  return values as Values<S>
}
