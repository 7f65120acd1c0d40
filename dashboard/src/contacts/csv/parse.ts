import { CsvError, type CsvRecord, csvParser, delimiterOf } from '../../../../src/contacts/csv/parse.ts'

export type CsvFile = { delimiter: string; header: string[]; records: CsvRecord[] }

/**
 * Reads a file as the server's command does: the first record names the columns. Throws an error that names the line.
 */
export function parseCsv(text: string): CsvFile {
  const delimiter = delimiterOf(text)
  const records = recordsOf(text, delimiter)
  const header = records.shift()
  if (!header) throw new Error('The file is empty. Choose another.')
  return { delimiter, header: header.cells.map((name) => name.trim()), records }
}

function recordsOf(text: string, delimiter: string): CsvRecord[] {
  // The file is in memory already, so a record may be as long as the file.
  const parser = csvParser(delimiter, text.length)
  try {
    return [...parser.push(text), ...parser.end()]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { line, fault, advice } = error
    throw new Error(`Line ${line}: ${fault}.${advice && ` ${advice[0]!.toUpperCase()}${advice.slice(1)}.`}`)
  }
}
