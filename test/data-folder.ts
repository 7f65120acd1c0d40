import { execFileSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { quickFolder } from './folders.ts'
import { preparedFolder } from './prepared-folder.ts'
import { ownLauncher } from './server-process.ts'

const makers = globSync(new URL('../src/platform/embedded-postgres/*.ts', import.meta.url).pathname).sort()
const prepared = preparedFolder(
  'data',
  makers.map((path) => readFileSync(path, 'utf8')),
)

/**
 * Makes a new DATA_DIR whose database has no account yet, so that the first start on it prints one. The database is
 * there and migrated, which takes a first start seconds of processor time. Returns its path.
 */
export function makeDataFolder(name: string): string {
  const folder = mkdtempSync(join(quickFolder(), `posthorn-${name}-`))
  // If root runs the tests, the database belongs to an ordinary user, who must be able to enter.
  chmodSync(folder, 0o711)
  if (!prepared.copyTo(folder)) {
    const environment = { PATH: process.env.PATH, DATA_DIR: folder }
    execFileSync(process.execPath, [ownLauncher, 'migrate'], { env: environment, stdio: 'ignore' })
    prepared.keep(folder)
  }
  return folder
}
