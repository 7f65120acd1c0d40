import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Installs the packages of the benchmarks from the `package-lock.json` beside this file. */
export async function installPeers(say: (progress: string) => void): Promise<void> {
  // npm writes this last. An installation older than the list is incomplete.
  if (changedMs('node_modules/.package-lock.json') > changedMs('package-lock.json')) return
  say('installing what is compared with: npm ci --prefix bench')
  // Uses our Node, because npm picks versions for the Node that runs it.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` }
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  await promisify(execFile)(npm, ['ci', '--ignore-scripts'], { cwd: folder, env, shell: process.platform === 'win32' })
}

function changedMs(file: string): number {
  return statSync(new URL(file, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Imports a package that may be missing when types are checked. The caller declares the part that it uses. */
export async function importPeer<Used>(name: string): Promise<Used> {
  return (await import(name)) as Used
}
