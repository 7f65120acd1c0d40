import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { refuseVariable } from './environment/read.ts'

/**
 * Makes DATA_DIR if it does not exist, parents first and one at a time: mkdir's recursion never ends below /proc. The
 * folder may be passed through but not read, because the database of a root process runs as an ordinary user. Files
 * with secrets have their own modes.
 */
export function ensureDataFolder(path: string): void {
  try {
    make(path)
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    refuseVariable('DATA_DIR', `a folder this process can make and write to (${code})`, path)
  }
}

function make(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (dirname(path) !== path && !found) make(dirname(path))
  mkdirSync(path, { mode: 0o711 })
}
