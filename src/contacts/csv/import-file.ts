import type { App } from '../../context.ts'
import { importContacts } from '../import/import.ts'
import type { ImportRow } from '../schema.ts'
import { type Columns, readCells, readColumns } from './columns.ts'
import { CsvError, type CsvRecord } from './parse.ts'
import { readCsvFile } from './read-file.ts'
import { type RejectedFile, rejectedFile } from './rejected-file.ts'

/** Rows in one unit of work, which takes a few seconds on a slow machine. */
const pageRowsMax = 5000

type Target = { teamId: string; segmentId: string | undefined }
export type FileTotals = { rows: number; created: number; updated: number; unchanged: number; rejected: number }
export type FileResult = FileTotals & { ignoredColumns: string[]; rejectedPath: string }

/**
 * Imports a CSV file page by page, each page whole or not at all. A repeated command finds the pages that were imported
 * before unchanged, and continues. Throws `CsvError` if the file is not CSV, after importing the rows before the fault.
 */
export async function importCsvFile(
  app: App,
  target: Target,
  path: string,
  report: (totals: FileTotals, bytesRead: number) => void,
): Promise<FileResult> {
  const file = readCsvFile(path)
  const header = (await file.records.next()).value as CsvRecord | undefined
  if (!header) throw new CsvError(1, 'the file is empty')
  const columns = readColumns(header.cells, header.line)
  const rejected = rejectedFile(path, header.cells, file.delimiter)
  const totals: FileTotals = { rows: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 }
  try {
    for await (const page of pagesOf(file.records)) {
      await importPage(app, target, { page, columns, rejected, totals })
      report(totals, file.bytesRead)
    }
  } finally {
    await rejected.close()
  }
  return { ...totals, ignoredColumns: columns.ignored, rejectedPath: rejected.path }
}

/** Yields the rows before a fault as a page too, and then throws the fault. */
async function* pagesOf(records: AsyncGenerator<CsvRecord>): AsyncGenerator<CsvRecord[]> {
  let page: CsvRecord[] = []
  let fault: unknown
  try {
    for await (const record of records) {
      page.push(record)
      if (page.length < pageRowsMax) continue
      yield page
      page = []
    }
  } catch (error) {
    fault = error
  }
  if (page.length > 0) yield page
  if (fault) throw fault
}

type Work = { page: CsvRecord[]; columns: Columns; rejected: RejectedFile; totals: FileTotals }

async function importPage(app: App, { teamId, segmentId }: Target, { page, columns, rejected, totals }: Work) {
  const reasons = new Map<CsvRecord, string>()
  const readable: { record: CsvRecord; row: ImportRow }[] = []
  for (const record of page) {
    const row = readCells(columns, record.cells)
    if (typeof row === 'string') reasons.set(record, row)
    else readable.push({ record, row })
  }
  const contacts = readable.map(({ row }) => row)
  const imported = await importContacts(app, teamId, { contacts, ...(segmentId && { segmentId }) })
  for (const { index, message } of imported.errors) reasons.set(readable[index]!.record, message)
  const rows = page.flatMap((record) => {
    const reason = reasons.get(record)
    return reason === undefined ? [] : [{ cells: record.cells, reason: `line ${record.line}: ${reason}` }]
  })
  await rejected.write(rows)
  totals.rows += page.length
  totals.created += imported.created
  totals.updated += imported.updated
  totals.unchanged += imported.skipped - imported.errors.length
  totals.rejected += rows.length
}
