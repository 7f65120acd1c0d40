import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Node keeps what it has compiled, for later processes and runs. */
export const compiledFolder = join(tmpdir(), 'posthorn-test-compiled')

/**
 * Returns a folder in memory if there is enough of it: test files make and copy databases, which is ten times slower on
 * a disk.
 */
export function quickFolder(): string {
  const memory = '/dev/shm'
  const freeMinBytes = 2 * 1024 ** 3
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= freeMinBytes ? memory : tmpdir()
}
