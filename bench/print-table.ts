import type { Result } from './workload.ts'

const headings = ['row', 'workload', 'ours', 'reference', 'ratio', 'target', 'met', 'p50 / p99', 'memory']

/** Formats the results as a table that is readable as text and as Markdown. */
export function formatResults(results: Result[]): string {
  const rows = results.map((result) => [
    result.row,
    result.what,
    result.ours,
    result.reference,
    result.ratio === null ? '' : result.ratio.toFixed(2),
    result.target,
    result.met === null ? '' : result.met ? 'yes' : 'NO',
    result.latency ?? '',
    result.memory ?? '',
  ])
  return formatTable(headings, rows)
}

export function formatTable(headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
