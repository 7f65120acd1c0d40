import { unitsPerCent, unitsPerDollar } from './rate-card.ts'

/** Formats hundredths of a cent: `$1.25`, `-$0.02`, and `$0.0001` for amounts that are not whole cents. */
export function dollars(units: number): string {
  const amount = (Math.abs(units) / unitsPerDollar).toFixed(units % unitsPerCent === 0 ? 2 : 4)
  return `${units < 0 ? '-' : ''}$${amount}`
}
