import { statSync } from 'node:fs'
import type { ContactImportResult } from '../../../sdk/src/api.ts'
import { readCells, readColumns } from '../../../src/contacts/csv/columns.ts'
import { CsvError, type CsvRecord } from '../../../src/contacts/csv/parse.ts'
import { readCsvFile } from '../../../src/contacts/csv/read-file.ts'
import { type RejectedFile, rejectedFile } from '../../../src/contacts/csv/rejected-file.ts'
import type { Call } from '../call.ts'
import type { Client } from '../client.ts'
import { Failure, usageFailure } from '../failure.ts'
import { idOf } from '../find.ts'
import { nouns } from '../nouns.ts'
import { visible } from '../output/visible.ts'

type Totals = { rows: number; created: number; updated: number; rejected: number }
type Target = { client: Client; segmentId: string | undefined }
type Rows = NonNullable<Parameters<Client['contacts']['import']>[0]>['contacts']

const pageRowsMax = 2000
/** Characters of a page, which in UTF-8 and as JSON are fewer bytes than the 10 MiB that a request may carry. */
const pageLengthMax = 2_000_000

/** Imports a CSV file page by page. Rows that cannot be taken are written beside it, with the reason of each. */
export async function importContacts(call: Call): Promise<undefined> {
  const [path, segment] = [call.words[0]!, call.values.segment]
  refuseOtherThanFile(path)
  const client = call.client()
  const segmentId = segment === undefined ? undefined : await idOf(client, nouns.segments!.find, String(segment))
  const totals: Totals = { rows: 0, created: 0, updated: 0, rejected: 0 }
  try {
    const { rejected, ignored } = await importFile({ client, segmentId }, path, totals)
    const names = ignored.map(visible).join(', ')
    if (ignored.length > 0) call.io.err(`Columns that contacts do not have were left out: ${names}.\n`)
    call.show(totals, () => totalsText(totals, rejected.path))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const advice = 'Rows before it may be in; correct the file and run the command again.'
    throw new Failure(1, 'not_csv', `${path}, ${error.message}. ${advice}`)
  }
}

function refuseOtherThanFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw usageFailure(`There is no file ${path}.`)
  if (stats.isDirectory()) throw usageFailure(`${path} is a folder; name a CSV file.`)
}

async function importFile(
  target: Target,
  path: string,
  totals: Totals,
): Promise<{ rejected: RejectedFile; ignored: string[] }> {
  const file = readCsvFile(path)
  const header = (await file.records.next()).value as CsvRecord | undefined
  if (!header) throw new CsvError(1, 'the file is empty')
  const columns = readColumns(header.cells, header.line)
  const rejected = rejectedFile(path, header.cells, file.delimiter)
  try {
    for await (const page of pagesOf(file.records)) {
      const read = page.map(({ cells }) => ({ cells, row: readCells(columns, cells) }))
      const bad = read.flatMap(({ cells, row }) => (typeof row === 'string' ? [{ cells, reason: row }] : []))
      const good = read.filter(({ row }) => typeof row !== 'string')
      const { created, updated, errors } = await importPage(target, good.map(({ row }) => row) as Rows)
      const refused = errors.map(({ index, message }) => ({ cells: good[index]!.cells, reason: message }))
      await rejected.write([...bad, ...refused])
      totals.rows += page.length
      totals.created += created
      totals.updated += updated
      totals.rejected += bad.length + refused.length
    }
  } finally {
    await rejected.close()
  }
  return { rejected, ignored: columns.ignored }
}

async function importPage({ client, segmentId }: Target, contacts: Rows): Promise<ContactImportResult> {
  if (contacts.length === 0) return { created: 0, updated: 0, skipped: 0, errors: [] }
  return client.contacts.import({ contacts, ...(segmentId !== undefined && { segmentId }) })
}

async function* pagesOf(records: AsyncIterable<CsvRecord>): AsyncGenerator<CsvRecord[]> {
  let [page, length]: [CsvRecord[], number] = [[], 0]
  for await (const record of records) {
    page.push(record)
    length += record.cells.reduce((sum, cell) => sum + cell.length, 0)
    if (page.length < pageRowsMax && length < pageLengthMax) continue
    yield page
    page = []
    length = 0
  }
  if (page.length > 0) yield page
}

function totalsText({ rows, created, updated, rejected }: Totals, rejectedPath: string): string {
  const where = rejected > 0 ? `The rejected rows, with the reason of each, are in ${rejectedPath}.\n` : ''
  const unchanged = rows - created - updated - rejected
  return `${rows} ${rows === 1 ? 'row' : 'rows'}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected.\n${where}`
}
