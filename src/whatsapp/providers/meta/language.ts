/** Converts a BCP 47 tag to Meta's form: `en_US` for `en-US`. */
export function languageCode(language: string): string {
  return language.replaceAll('-', '_')
}

/** Converts Meta's language code to a BCP 47 tag. */
export function languageTag(code: string): string {
  return code.replaceAll('_', '-')
}
