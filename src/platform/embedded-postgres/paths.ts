import { chmod, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runningAs } from './account.ts'
import type { Home } from './home.ts'

/**
 * Returns the options that start a program of PostgreSQL so that it finds its data folder. If its user cannot enter a
 * folder above, it starts inside the data folder and uses Linux's name for the current folder, which bypasses the
 * folders above.
 */
export function startingIn(home: Home, cluster = home.cluster) {
  const options = runningAs(home.account)
  if (!home.isClosed) return { cluster, options }
  return { cluster: current, options: { ...options, cwd: cluster } }
}

/**
 * Writes a file of the server's configuration beside its data folder, or into it if a folder above is closed. Renames a
 * new file, which replaces any file that the database's user put there. Returns the name by which the server finds the
 * file.
 */
export async function writeConfiguration(home: Home, name: string, text: string): Promise<string> {
  const draft = join(home.folder, `${name}.${process.pid}`)
  await writeFile(draft, text)
  await chmod(draft, 0o644)
  await rename(draft, join(home.isClosed ? home.cluster : home.folder, name))
  return join(home.isClosed ? current : home.folder, name)
}

const current = '/proc/self/cwd'
