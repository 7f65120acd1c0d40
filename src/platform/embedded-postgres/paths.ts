import { chmod, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runningAs } from './account.ts'
import type { Home } from './choose-home.ts'

/**
 * How a program of PostgreSQL is started so that it finds its data folder. Where a folder above is closed to its user, it
 * is started inside of its data folder and calls that by Linux's name for the current folder, which leads past the others.
 */
export function startingIn(home: Home, cluster = home.cluster) {
  const options = runningAs(home.account)
  if (!home.isClosed) return { cluster, options }
  return { cluster: current, options: { ...options, cwd: cluster } }
}

/**
 * Writes a file of the server's configuration beside its data folder, or into it where a folder above is closed. By
 * renaming, which replaces whatever the database's user may have put there. Returns the name the server finds it by.
 */
export async function writeConfiguration(home: Home, name: string, text: string): Promise<string> {
  const draft = join(home.folder, `${name}.${process.pid}`)
  await writeFile(draft, text)
  await chmod(draft, 0o644)
  await rename(draft, join(home.isClosed ? home.cluster : home.folder, name))
  return join(home.isClosed ? current : home.folder, name)
}

const current = '/proc/self/cwd'
