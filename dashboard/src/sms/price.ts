import { rateOfZone, unitsPerCent, zoneOfCountry } from '../../../src/billing/rate-card.ts'
import { isPhoneNumber } from '../../../src/platform/text/phone-number.ts'

/**
 * The countries of the rate card by their calling code, for showing the price while one types. The server tells the
 * country of a number by the metadata of libphonenumber, which is too large for a page; a test holds both together.
 */
// biome-ignore format: a table
const countries: Record<string, string> = {
  1: 'US', 27: 'ZA', 31: 'NL', 32: 'BE', 33: 'FR', 34: 'ES', 39: 'IT', 41: 'CH', 43: 'AT', 44: 'GB', 45: 'DK', 46: 'SE', 47: 'NO',
  49: 'DE', 52: 'MX', 55: 'BR', 60: 'MY', 61: 'AU', 63: 'PH', 64: 'NZ', 65: 'SG', 81: 'JP', 353: 'IE', 358: 'FI',
}

/**
 * Countries that share a calling code with one of the rate card and are not on it themselves, by the digits that
 * follow.
 */
const elsewhere: Record<string, RegExp> = {
  1: /^(242|246|264|268|284|340|345|441|473|649|658|664|670|671|684|721|758|767|784|787|809|829|849|868|869|876|939)/,
  39: /^06698/,
  47: /^79/,
  358: /^18/,
}

/**
 * Returns the price of an SMS to a number in cents; null if the number is unfinished or its country is not on the rate
 * card.
 */
export function centsTo(number: string): number | null {
  if (!isPhoneNumber(number)) return null
  const digits = number.slice(1)
  for (let length = 3; length > 0; length--) {
    const code = digits.slice(0, length)
    const country = countries[code]
    if (country === undefined) continue
    const zone = elsewhere[code]?.test(digits.slice(length)) ? null : zoneOfCountry(country)
    return zone && rateOfZone(zone) / unitsPerCent
  }
  return null
}
