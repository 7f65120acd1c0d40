import { durationColumns } from './counts.ts'
import { p95Of } from './percentile.ts'
import type { Sums } from './read.ts'

/** Hundredths of a cent. */
const unitsPerCent = 100

/** Returns the fields of the API, which are the columns in camel case. */
export function presentCounts(sums: Sums): Record<string, number> {
  return Object.fromEntries(
    Object.entries(sums).flatMap(([column, sum]) => (column === 'point' ? [] : [[camelCase(column), sum]])),
  )
}

export function presentSms({ cost_units: units = 0, ...counts }: Sums): Record<string, number> {
  return { ...presentCounts(counts), costCents: units / unitsPerCent }
}

export function presentWebhooks(sums: Sums): Record<string, number> {
  const { delivered = 0, failed = 0, attempts = 0 } = sums
  return { delivered, failed, attempts, p95Ms: p95Of(durationColumns.map((column) => sums[column] ?? 0)) }
}

function camelCase(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
