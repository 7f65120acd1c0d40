import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/max/metadata'
import { isPhoneNumber } from '../platform/phone-number.ts'

export type ReadNumber = {
  /**
   * ISO 3166-1 alpha-2. A number without a country (reserved ranges such as +1 555…) has the main country of its calling code.
   * Null where the code does not exist or belongs to no country (+800, satellites).
   */
  country: string | null
  /** One form for all ways to write the same number: without the national prefix that some write after the country code. */
  normalized: string
}

/** Reads a number in E.164 form. It costs as much as everything else that is computed for a message, so call it once. */
export function readNumber(number: string): ReadNumber {
  const parsed = parse(number)
  if (!parsed) return { country: null, normalized: number }
  const main = metadata.country_calling_codes[parsed.countryCallingCode]?.[0]
  // A text that is not a number either way stays as it is written.
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
