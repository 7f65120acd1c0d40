import { invalid } from '../../platform/errors.ts'

/** Throws `invalid` for anything but a language tag of BCP 47, such as `en` or `pt-BR`. */
export function refuseBadLanguage(language: string): void {
  try {
    Intl.getCanonicalLocales(language)
  } catch {
    throw invalid('language', 'must be a language tag (BCP 47) such as en or pt-BR')
  }
}
