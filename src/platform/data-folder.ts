import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { refuseVariable } from './environment/read.ts'

/**
 * Makes DATA_DIR where it is not there, parents first, one at a time: mkdir's own recursion never ends below /proc.
 * Passable, not readable: run by root, the database is an ordinary user's. Secrets in it are closed by themselves.
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
