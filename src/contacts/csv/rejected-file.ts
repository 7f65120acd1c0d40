import { type FileHandle, open } from 'node:fs/promises'
import { csvLine } from './parse.ts'

/** The rows that were not taken, as they stood in the file, with the reason: to be corrected and imported by themselves. */
export type RejectedFile = {
  path: string
  write(rows: { cells: string[]; reason: string }[]): Promise<void>
  close(): Promise<void>
}

/** Made at the first row, in place of an earlier one. */
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
