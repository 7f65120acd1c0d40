import { undefuse } from '../../../../src/platform/csv/formula.ts'

/** `line` is the line on which the record begins; a quoted cell may span several lines. */
export type CsvRecord = { line: number; cells: string[] }

export type CsvFile = { delimiter: string; header: string[]; records: CsvRecord[] }

/**
 * Reads a file of RFC 4180 as the server's command does: the first record names the columns, empty lines are skipped, and an
 * apostrophe before a formula is removed. Throws an error that names the line.
 */
export function parseCsv(text: string): CsvFile {
  const delimiter = delimiterOf(text)
  const [header, ...records] = recordsOf(text, delimiter)
  if (!header) throw new Error('The file is empty. Choose another.')
  return { delimiter, header: header.cells.map((name) => name.trim()), records }
}

function* recordsOf(text: string, delimiter: string): Generator<CsvRecord> {
  const plainEnd = new RegExp(`[${delimiter}\\r\\n]`, 'g')
  let [at, line] = [0, 1]
  while (at < text.length) {
    const record: CsvRecord = { line, cells: [] }
    const start = at
    for (;;) {
      const { cell, end } = text[at] === '"' ? readQuoted(text, at, line) : readPlain(text, at, plainEnd)
      line += linesIn(cell)
      record.cells.push(undefuse(cell))
      at = end
      if (text[at] !== delimiter) break
      at++
    }
    const isEmpty = at === start
    at += text.startsWith('\r\n', at) ? 2 : 1
    line++
    if (!isEmpty) yield record
  }
}

function readPlain(text: string, at: number, plainEnd: RegExp): { cell: string; end: number } {
  plainEnd.lastIndex = at
  const end = plainEnd.exec(text)?.index ?? text.length
  return { cell: text.slice(at, end), end }
}

function readQuoted(text: string, at: number, line: number): { cell: string; end: number } {
  let cell = ''
  let from = at + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) throw new Error(`Line ${line}: a quote is opened in this row and never closed.`)
    cell += text.slice(from, quote)
    const next = text[quote + 1]
    if (next !== '"') {
      if (next === undefined || /[,;\t\r\n]/.test(next)) return { cell, end: quote + 1 }
      throw new Error(
        `Line ${line}: there is text after a closing quote. A quote inside a quoted cell is written twice.`,
      )
    }
    cell += '"'
    from = quote + 2
  }
}

function linesIn(cell: string): number {
  return cell.includes('\n') || cell.includes('\r') ? cell.split(/\r\n|\r|\n/).length - 1 : 0
}

/** Finds the delimiter that the header has most of. Spreadsheets write semicolons where the comma is the decimal sign. */
function delimiterOf(text: string): string {
  const header = text
    .slice(0, 100_000)
    .replaceAll(/"[^"]*"/g, '')
    .trimStart()
    .split(/[\r\n]/, 1)[0]!
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counts.reduce((most, other) => (other.count > most.count ? other : most)).delimiter
}
