import { type OpenedFile, openFile } from './file.ts'
import type { BackupRecord, Header } from './records.ts'

export type Backup = { header: Header; file: OpenedFile; rows: number }
/** `part`: how much of the file was read, from 0 to 1. */
export type Progress = (part: number, rows: number) => void

/**
 * Reads a backup from its first byte to its last, before anything is written. Throws an error that says what is wrong
 * with it.
 */
export async function checkBackup(path: string, passphrase: string | null, progress: Progress): Promise<Backup> {
  const file = await openFile(path, passphrase)
  const records = file.records((bytes) => progress(bytes / file.bytes, rows))
  let rows = 0
  const header = await takeHeader(records)
  let end: number | null = null
  for await (const record of records) {
    if (record.type === 'table-end') rows += record.body.rows
    if (record.type === 'end') end = record.body.rows
  }
  if (end !== rows) throw new Error(`${path} holds ${rows} rows, and says it has ${end}. Take another copy of it.`)
  return { header, file, rows }
}

type Records = AsyncGenerator<BackupRecord, void, undefined>

export async function takeHeader(records: Records): Promise<Header> {
  const first = await records.next()
  if (first.done || first.value.type !== 'header') throw new Error('The backup does not begin with its header.')
  return first.value.body
}

/** Reads the rows of a table up to its end. `rows` is their number, once they were read. */
export function rowsOfTable(records: Records): { data: AsyncIterable<Buffer>; rows(): number } {
  let rows = 0
  async function* read() {
    for (;;) {
      const next = await records.next()
      if (next.done) throw new Error('The backup ends within a table.')
      const record = next.value
      if (record.type === 'table-end') {
        rows = record.body.rows
        return
      }
      if (record.type !== 'data') throw new Error('The backup has a part that does not belong to its table.')
      yield record.body
    }
  }
  return { data: read(), rows: () => rows }
}
