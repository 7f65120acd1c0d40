import { type FileHandle, open } from 'node:fs/promises'
import { csvLine } from '../../platform/csv/line.ts'

/** The file of rejected rows, unchanged and with the reason, so that they can be corrected and imported again. */
export type RejectedFile = {
  path: string
  write(rows: { cells: string[]; reason: string }[]): Promise<void>
  close(): Promise<void>
}

/** The file is created with its first row and replaces an earlier file. */
export function rejectedFile(importedPath: string, header: string[], delimiter: string): RejectedFile {
  const path = `${importedPath.replace(/\.csv$/i, '')}.rejected.csv`
  let file: FileHandle | undefined
  return {
    path,
    async write(rows) {
      if (rows.length === 0) return
      if (!file) {
        file = await open(path, 'w')
        await file.write(csvLine([...header, 'reason'], delimiter))
      }
      await file.write(rows.map(({ cells, reason }) => csvLine([...cells, reason], delimiter)).join(''))
    },
    close: async () => file?.close(),
  }
}
