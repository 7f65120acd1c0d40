import { readFileSync, writeFileSync } from 'node:fs'
import type { Result } from './workload.ts'

/** The last accepted ratios. A name is the row with its workload, since some rows have several lines. */
type Baseline = Record<string, number>

const file = new URL('baseline.json', import.meta.url)
const movedMin = 0.1
/** A busier machine measures its other work. */
export const loadMax = 0.5

/** Returns a line for each ratio that differs from the accepted one by more than a tenth. */
export function movedRows(results: Result[]): string[] {
  const accepted = readBaseline()
  return results.flatMap(({ row, what, ratio }) => {
    const before = accepted[nameOf(row, what)]
    if (before === undefined || ratio === null) return []
    const change = ratio / before - 1
    if (Math.abs(change) <= movedMin) return []
    return [
      `${nameOf(row, what)}: ${before} -> ${ratio.toFixed(2)} (${change > 0 ? '+' : ''}${(change * 100).toFixed(0)} %)`,
    ]
  })
}

/** Makes these ratios the accepted ones. Rows that were not measured keep theirs. */
export function acceptRatios(results: Result[]): void {
  const accepted = readBaseline()
  for (const { row, what, ratio } of results) {
    if (ratio !== null) accepted[nameOf(row, what)] = Number(ratio.toFixed(2))
  }
  writeFileSync(file, `${JSON.stringify(accepted, null, 2)}\n`)
}

function nameOf(row: string, what: string): string {
  return `${row} ${what}`
}

function readBaseline(): Baseline {
  return JSON.parse(readFileSync(file, 'utf8'))
}
