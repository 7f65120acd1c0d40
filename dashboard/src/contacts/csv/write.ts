import { defuse } from './formula.ts'

/** Writes records as a file in which spreadsheets see no formula; `parseCsv` reads it back unchanged. */
export function writeCsv(records: string[][], delimiter: string): string {
  return records.map((cells) => `${cells.map(writeCell).join(delimiter)}\r\n`).join('')
}

function writeCell(cell: string): string {
  const safe = defuse(cell)
  return /["\r\n,;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
