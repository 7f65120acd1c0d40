import { copyFile, open, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Home } from './home.ts'

const sizeMaxBytes = 10 * 1024 * 1024
const tailMaxBytes = 4096

/** Returns the file for the output of initdb and the server. A pipe would end with this process, and end the server. */
export function logFile(home: Home): string {
  return join(home.folder, 'postgres.log')
}

/** Renames a log past 10 MB to postgres.log.1, in place: a running server keeps appending to the same file. */
export async function boundLog(home: Home): Promise<void> {
  const file = logFile(home)
  const stats = await stat(file).catch(() => null)
  if (!stats || stats.size <= sizeMaxBytes) return
  await copyFile(file, `${file}.1`)
  await truncate(file)
}

/**
 * Returns the last 4 kB of the log after `offset`, and first that the disk is full if PostgreSQL says so among other
 * things.
 */
export async function readLogTail(home: Home, offset: number): Promise<string> {
  const handle = await open(logFile(home), 'r').catch(() => null)
  if (!handle) return ''
  try {
    const { size } = await handle.stat()
    const start = Math.max(Math.min(offset, size), size - tailMaxBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(tailMaxBytes), 0, size - start, start)
    const text = buffer.toString('utf8', 0, bytesRead).trim()
    return /No space left on device/.test(text) ? `The disk of ${home.folder} is full.\n${text}` : text
  } finally {
    await handle.close()
  }
}
