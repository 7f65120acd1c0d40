/**
 * The server's rate card by calling code, for showing the price while one types. The server decides by the metadata of
 * libphonenumber, which is too large for a page; a test holds both together.
 */
type Zone = { number: 1 | 2 | 3; cents: number }

const zones: Record<Zone['number'], Zone> = {
  1: { number: 1, cents: 2 },
  2: { number: 2, cents: 8 },
  3: { number: 3, cents: 25 },
}

const zoneOfCode: Record<string, Zone['number']> = {
  ...codes(1, '1'),
  ...codes(2, '44 61 64 353 31 34 39 49 33 32 43 41 45 46 47 358 81 65'),
  ...codes(3, '52 27 60 63 55'),
}

/** Countries that share a calling code with one of the rate card and are not on it themselves, by the digits that follow. */
const elsewhere: Record<string, RegExp> = {
  1: /^(242|246|264|268|284|340|345|441|473|649|658|664|670|671|684|721|758|767|784|787|809|829|849|868|869|876|939)/,
  39: /^06698/,
  47: /^79/,
  358: /^18/,
}

/** Returns the price of an SMS to a number in cents; null if the number is unfinished or its country is not on the rate card. */
export function centsTo(number: string): number | null {
  if (!/^\+[1-9]\d{6,14}$/.test(number)) return null
  const digits = number.slice(1)
  for (let length = 3; length > 0; length--) {
    const code = digits.slice(0, length)
    const zone = zoneOfCode[code]
    if (zone === undefined) continue
    return elsewhere[code]?.test(digits.slice(length)) ? null : zones[zone].cents
  }
  return null
}

export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}

function codes(zone: Zone['number'], all: string): Record<string, Zone['number']> {
  return Object.fromEntries(all.split(' ').map((code) => [code, zone]))
}
