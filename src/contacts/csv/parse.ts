import { undefuse } from '../../platform/csv/formula.ts'

/** `line` is the line on which the record begins; a quoted cell may span several lines. */
export type CsvRecord = { line: number; cells: string[] }

/** The file is not CSV from this line on. */
export class CsvError extends Error {
  readonly line: number
  readonly fault: string
  readonly advice: string

  constructor(line: number, fault: string, advice = '') {
    super(`line ${line}: ${fault}${advice && `; ${advice}`}`)
    this.line = line
    this.fault = fault
    this.advice = advice
  }
}

/** The longest record, so that a quote that is never closed does not read the whole file into memory. */
const usualLengthMax = 1024 * 1024

export type CsvParser = { push(text: string): Generator<CsvRecord>; end(): Generator<CsvRecord>; line(): number }

/**
 * Parses RFC 4180, piece by piece. Lines end with CR LF, LF or CR; empty lines are skipped. A quote inside a cell that
 * does not begin with one is an ordinary character. An apostrophe before a formula is removed. Throws `CsvError`.
 */
export function csvParser(delimiter: string, recordLengthMax = usualLengthMax): CsvParser {
  let line = 1
  /** The record that is not complete yet. */
  let rest = ''

  function* take(text: string, isLast: boolean): Generator<CsvRecord> {
    const piece = { text, delimiter, isLast }
    let at = 0
    while (at < text.length) {
      const found = readRecord(piece, at, line)
      if ((found?.end ?? text.length) - at > recordLengthMax)
        throw new CsvError(line, 'the row is too long', 'is a closing quote missing?')
      if (!found) break
      if (found.end > at) yield { line, cells: found.cells }
      at = text.startsWith('\r\n', found.end) ? found.end + 2 : found.end + 1
      line += found.linesWithin + 1
    }
    rest = text.slice(at)
  }
  return {
    push: (text) => take(rest + text, false),
    end: () => take(rest, true),
    line: () => line,
  }
}

/** `isLast` if nothing follows. */
type Piece = { text: string; delimiter: string; isLast: boolean }

/** Reads the record that begins at a place. `end` is that of its line. Null if it goes on in the next piece. */
function readRecord(piece: Piece, start: number, line: number) {
  const { text, delimiter, isLast } = piece
  const cells: string[] = []
  let at = start
  let linesWithin = 0
  for (;;) {
    const found = text[at] === '"' ? readQuoted(piece, at, line + linesWithin) : readPlain(piece, at)
    if (!found) return null
    cells.push(undefuse(found.cell))
    linesWithin += linesIn(found.cell)
    at = found.end
    if (text[at] !== delimiter) break
    at++
  }
  // A line feed may follow with the next piece.
  const isOpen = !isLast && (at === text.length || (text[at] === '\r' && at + 1 === text.length))
  return isOpen ? null : { cells, end: at, linesWithin }
}

type Cell = { cell: string; end: number }

const plainEnds: Record<string, RegExp> = { ',': /[,\r\n]/g, ';': /[;\r\n]/g, '\t': /[\t\r\n]/g }

function readPlain({ text, delimiter, isLast }: Piece, at: number): Cell | null {
  const plainEnd = plainEnds[delimiter]!
  plainEnd.lastIndex = at
  const end = plainEnd.exec(text)?.index
  if (end === undefined && !isLast) return null
  return { cell: text.slice(at, end), end: end ?? text.length }
}

function readQuoted({ text, delimiter, isLast }: Piece, at: number, line: number): Cell | null {
  let cell = ''
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0 && !isLast) return null
    if (quote < 0) throw new CsvError(line, 'a quote is opened in this row and never closed')
    cell += text.slice(from, quote)
    const next = text[quote + 1]
    if (next === undefined || next === delimiter || next === '\r' || next === '\n') return { cell, end: quote + 1 }
    if (next !== '"')
      throw new CsvError(
        line + linesIn(cell),
        'there is text after a closing quote',
        'a quote inside a quoted cell is written twice',
      )
    cell += '"'
    from = quote + 2
  }
}

function linesIn(cell: string): number {
  return /[\r\n]/.test(cell) ? cell.split(/\r\n|\r|\n/).length - 1 : 0
}

/**
 * Finds the delimiter that the header has most of. Spreadsheets write semicolons where the comma is the decimal sign.
 */
export function delimiterOf(text: string): string {
  const [header = ''] = text
    .slice(0, 100_000)
    .replaceAll(/"[^"]*"/g, '')
    .trimStart()
    .split(/[\r\n]/, 1)
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counts.reduce((most, other) => (other.count > most.count ? other : most)).delimiter
}
