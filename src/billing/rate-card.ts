/**
 * The zone of a destination sets the price of a message; its number of segments does not. Money is in hundredths of a
 * cent.
 */
export type Zone = 1 | 2 | 3

export const unitsPerCent = 100
export const unitsPerDollar = 100 * unitsPerCent

export const zones: Zone[] = [1, 2, 3]

const zoneOf: Record<string, Zone> = {
  ...zone(1, 'US CA'),
  ...zone(2, 'GB AU NZ IE NL ES IT DE FR BE AT CH DK SE NO FI JP SG'),
  ...zone(3, 'MX ZA MY PH BR'),
}

const rates: Record<Zone, number> = { 1: 200, 2: 800, 3: 2500 }

/** Returns the zone of a country (ISO 3166-1 alpha-2). Null if the country is not on the rate card. */
export function zoneOfCountry(country: string): Zone | null {
  return zoneOf[country] ?? null
}

/** Returns the price of a message, in hundredths of a cent. */
export function rateOfZone(zone: Zone): number {
  return rates[zone]
}

function zone(number: Zone, countries: string): Record<string, Zone> {
  return Object.fromEntries(countries.split(' ').map((country) => [country, number]))
}
