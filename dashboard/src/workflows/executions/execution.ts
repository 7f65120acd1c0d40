import type { Answer, RowOf } from '../../api/request.ts'

export type Execution = RowOf<'/v1/workflows/:id/executions'>
export type ExecutionDetail = Answer<'/v1/workflows/:id/executions/:exec_id'>

/** Returns the time between two moments in words: *120 ms*, *4.2 s*, *3 min 5 s*, *2 d 4 h*. */
export function durationOf(from: string, until: string): string {
  const ms = Math.max(0, Date.parse(until) - Date.parse(from))
  if (ms < 1000) return `${ms} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const units: [string, number][] = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1000],
  ]
  let rest = ms
  const parts = units.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count > 0 ? [`${count} ${unit}`] : []
  })
  return parts.slice(0, 2).join(' ')
}
