import { unitsPerCent, unitsPerDollar } from './rate-card.ts'

/** Hundredths of a cent in words: `$1.25`, `-$0.02`, and where they are no whole cents `$0.0001`. */
export function dollars(units: number): string {
  const amount = (Math.abs(units) / unitsPerDollar).toFixed(units % unitsPerCent === 0 ? 2 : 4)
  return `${units < 0 ? '-' : ''}$${amount}`
}
