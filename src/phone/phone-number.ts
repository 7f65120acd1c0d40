import { Metadata, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/max/metadata'
import { isPhoneNumber } from '../platform/text/phone-number.ts'

type ReadNumber = {
  /**
   * ISO 3166-1 alpha-2. A number without a country (reserved ranges such as +1 555…) has the main country of its
   * calling code. Null if the code does not exist or is not a country's (+800, satellites).
   */
  country: string | null
  /**
   * The same form for all spellings of a number: without the national prefix that some write after the country code.
   */
  normalized: string
}

/**
 * Reads a number in E.164 form. Call it once for each message: it costs as much as all other computation for the
 * message.
 */
export function readNumber(number: string): ReadNumber {
  const parsed = parse(number)
  if (!parsed) return { country: null, normalized: number }
  const main = metadata.country_calling_codes[parsed.countryCallingCode]?.[0]
  // A text that is not a valid number stays as it is.
  const normalized = parsed.number === number || !parsed.isValid() ? number : parsed.number
  return { country: countryOfPrices(parsed.country) ?? main ?? null, normalized }
}

/**
 * Returns the ways in which people write a number: normalized first, with the national prefix after the country code,
 * and as given.
 */
export function spellingsOf(number: string): string[] {
  const { normalized } = readNumber(number)
  const parsed = parse(normalized)
  if (!parsed) return [number]
  const prefixed = `+${parsed.countryCallingCode}${nationalPrefixOf(parsed)}${parsed.nationalNumber}`
  const isSame = isPhoneNumber(prefixed) && readNumber(prefixed).normalized === normalized
  return [...new Set([normalized, ...(isSame ? [prefixed] : []), number])]
}

/** Returns what people of the country dial before a number, such as 0; empty if nothing. */
function nationalPrefixOf({ country }: PhoneNumber): string {
  if (!country) return ''
  const plans = new Metadata(metadata)
  plans.selectNumberingPlan(country)
  // The types leave this method out.
  const plan = plans.numberingPlan as { nationalPrefix?(): string | undefined } | undefined
  return plan?.nationalPrefix?.() ?? ''
}

/**
 * Returns the country whose price applies. Guernsey, Jersey and the Isle of Man use +44 and count as the United
 * Kingdom.
 */
function countryOfPrices(country: string | undefined): string | undefined {
  return country !== undefined && ['GG', 'JE', 'IM'].includes(country) ? 'GB' : country
}

export function isTollFree(number: string): boolean {
  return isPhoneNumber(number) && parse(number)?.getType() === 'TOLL_FREE'
}

function parse(number: string): PhoneNumber | undefined {
  return parsePhoneNumberFromString(number, metadata)
}
