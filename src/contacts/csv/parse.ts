import { undefuse } from '../../platform/csv/formula.ts'

/** `line` is the line on which the record begins; a quoted cell may span several lines. */
export type CsvRecord = { line: number; cells: string[] }

/** The file is not CSV from this line on. */
export class CsvError extends Error {
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`)
  }
}

/** The longest record, so that a quote that is never closed does not read the whole file into memory. */
const recordLengthMax = 1024 * 1024

export type CsvParser = { push(text: string): Generator<CsvRecord>; end(): Generator<CsvRecord>; line(): number }

/**
 * Parses RFC 4180, piece by piece. Lines end with CR LF, LF or CR; empty lines are skipped. A quote inside a cell that does
 * not begin with one is an ordinary character. An apostrophe before a formula is removed. Throws `CsvError`.
 */
export function csvParser(delimiter: string): CsvParser {
  let state: 'start' | 'plain' | 'quoted' | 'quoteInQuoted' = 'start'
  let cell = ''
  let cells: string[] = []
  let [line, firstLine, length] = [1, 1, 0]
  let afterReturn = false

  function endCell(): void {
    cells.push(undefuse(cell))
    cell = ''
    state = 'start'
  }
  function endRecord(): CsvRecord | null {
    const empty = cells.length === 0 && state === 'start'
    endCell()
    const record = empty ? null : { line: firstLine, cells }
    cells = []
    length = 0
    firstLine = ++line
    return record
  }
  /** Returns a record if the character ends one. */
  function take(character: string): CsvRecord | null {
    const pair = afterReturn && character === '\n'
    afterReturn = false
    if (pair) return null
    if (++length > recordLengthMax) throw new CsvError(firstLine, 'the row is too long; is a closing quote missing?')
    if (state === 'quoted') {
      if (character === '\n') line++
      if (character === '"') state = 'quoteInQuoted'
      else cell += character
    } else if (character === delimiter) {
      endCell()
    } else if (character === '\n' || character === '\r') {
      afterReturn = character === '\r'
      return endRecord()
    } else if (character === '"' && state !== 'plain') {
      if (state === 'quoteInQuoted') cell += character
      state = 'quoted'
    } else if (state === 'quoteInQuoted') {
      throw new CsvError(line, 'there is text after a closing quote; a quote inside a quoted cell is written twice')
    } else {
      cell += character
      state = 'plain'
    }
    return null
  }
  return {
    *push(text) {
      for (const character of text) {
        const record = take(character)
        if (record) yield record
      }
    },
    *end() {
      if (state === 'quoted') throw new CsvError(firstLine, 'a quote is opened in this row and never closed')
      const record = length > 0 ? endRecord() : null
      if (record) yield record
    },
    line: () => line,
  }
}

/** Finds the delimiter that the header line has most of. Spreadsheets write semicolons where the comma is the decimal sign. */
export function delimiterOf(text: string): string {
  const header = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)[0]!
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counts.reduce((most, other) => (other.count > most.count ? other : most)).delimiter
}
