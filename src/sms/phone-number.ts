import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/max/metadata'
import { isPhoneNumber } from '../platform/phone-number.ts'

export type ReadNumber = {
  /**
   * ISO 3166-1 alpha-2. A number that no country claims (reserved ranges such as +1 555…) takes its calling code's main one;
   * null where there is no such code, or no country has it (+800, satellites).
   */
  country: string | null
  /** One form for all that are the same telephone: without the national prefix that some write after the country code. */
  normalized: string
}

/** Of a number in E.164 form. It costs as much as all else that is computed for a message: ask once. */
export function readNumber(number: string): ReadNumber {
  const parsed = parse(number)
  if (!parsed) return { country: null, normalized: number }
  const main = metadata.country_calling_codes[parsed.countryCallingCode]?.[0]
  // What is no number either way is left as it is written.
  const normalized = parsed.number === number || !parsed.isValid() ? number : parsed.number
  return { country: countryOfPrices(parsed.country) ?? main ?? null, normalized }
}

/** Guernsey, Jersey and the Isle of Man have numbers of the United Kingdom (+44) and count as it. */
function countryOfPrices(country: string | undefined): string | undefined {
  return country !== undefined && ['GG', 'JE', 'IM'].includes(country) ? 'GB' : country
}

export function isTollFree(number: string): boolean {
  return isPhoneNumber(number) && parse(number)?.getType() === 'TOLL_FREE'
}

function parse(number: string): PhoneNumber | undefined {
  return parsePhoneNumberFromString(number, metadata)
}
