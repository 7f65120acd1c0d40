/** Meta writes `en_US` where BCP 47 writes `en-US`. */
export function languageCode(language: string): string {
  return language.replaceAll('-', '_')
}

/** As BCP 47 writes it. */
export function languageTag(code: string): string {
  return code.replaceAll('_', '-')
}
