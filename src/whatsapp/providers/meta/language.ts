/** A BCP 47 tag in Meta's form: `en_US` for `en-US`. */
export function languageCode(language: string): string {
  return language.replaceAll('-', '_')
}

/** Meta's language code as a BCP 47 tag. */
export function languageTag(code: string): string {
  return code.replaceAll('_', '-')
}
