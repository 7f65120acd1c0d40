import { defuse } from './formula.ts'

/** Writes a row in which spreadsheets see no formula; `csvParser` reads it back unchanged. */
export function csvLine(cells: string[], delimiter: string): string {
  const written = cells.map(defuse).map((cell) => (/["\r\n,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${written.join(delimiter)}\r\n`
}
