import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { refuseEndedRights } from '../http/still-admitted.ts'
import { csvLine } from './line.ts'

type CsvExport<Row> = {
  /** The name of the file, without its ending. */
  name: string
  header: string[]
  /** Reads the page after a row, or the first one. An empty page is the end. */
  read(after: Row | null): Promise<Row[]>
  cells(row: Row): string[]
}

/**
 * Answers with a CSV file, one page at a time as fast as the client reads. Each page is read when its turn comes, so
 * rows that change meanwhile are in the file as they are then. A failure after the first page breaks the connection
 * off, and so does the end of the caller's rights.
 */
export async function sendCsv<Row>(
  reply: FastifyReply,
  { name, read, ...rest }: CsvExport<Row>,
): Promise<FastifyReply> {
  // Read before the answer begins, so that it can still be a refusal.
  const first = await read(null)
  async function readNext(after: Row): Promise<Row[]> {
    await refuseEndedRights(reply)
    return read(after)
  }
  const pieces = Readable.from(piecesOf(first, readNext, rest), { highWaterMark: 1 })
  return reply
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(pieces)
}

async function* piecesOf<Row>(
  first: Row[],
  readNext: (after: Row) => Promise<Row[]>,
  { header, cells }: Pick<CsvExport<Row>, 'header' | 'cells'>,
): AsyncGenerator<string> {
  yield csvLine(header, ',')
  for (let page = first; page.length > 0; page = await readNext(page.at(-1)!)) {
    yield page.map((row) => csvLine(cells(row), ',')).join('')
  }
}
