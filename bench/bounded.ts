import { milliseconds } from './format.ts'
import type { Result } from './workload.ts'

/** A time beside its bound, for what has no reference to compare with. */
export function bounded(row: string, what: string, ms: number, maxMs: number): Result {
  return { row, what, ours: milliseconds(ms), reference: '', ratio: null, target: `<= ${maxMs} ms`, met: ms <= maxMs }
}
