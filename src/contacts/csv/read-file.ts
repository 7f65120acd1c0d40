import { createReadStream } from 'node:fs'
import { TextDecoder } from 'node:util'
import { CsvError, type CsvParser, type CsvRecord, csvParser, delimiterOf } from './parse.ts'

/** `delimiter` and `bytesRead` describe the part of the file that has been read so far. */
type CsvFile = { delimiter: string; bytesRead: number; records: AsyncGenerator<CsvRecord> }

/** Reads a file record by record, with one piece of it in memory at a time. Throws `CsvError`. */
export function readCsvFile(path: string): CsvFile {
  const file: Omit<CsvFile, 'records'> = { delimiter: ',', bytesRead: 0 }
  return Object.assign(file, { records: readRecords(path, file) })
}

async function* readRecords(path: string, file: Omit<CsvFile, 'records'>): AsyncGenerator<CsvRecord> {
  // A byte order mark at the beginning is dropped.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let parser: CsvParser | undefined
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    const text = decode(decoder, bytes, parser)
    file.bytesRead += bytes.length
    if (!parser) {
      file.delimiter = delimiterOf(text)
      parser = csvParser(file.delimiter)
    }
    yield* parser.push(text)
  }
  decode(decoder, undefined, parser)
  if (parser) yield* parser.end()
}

/** Called without bytes at the end of the file, where half a character may be left over. */
function decode(decoder: TextDecoder, bytes: Buffer | undefined, parser: CsvParser | undefined): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw new CsvError(parser?.line() ?? 1, 'here or soon after is text that is not UTF-8; save the file as UTF-8')
  }
}
