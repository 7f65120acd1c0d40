import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Packages of Debian are a few megabytes, and npm's registry is asked for a hundred packages. */
const fetchMaxMs = 240_000
const cache = resolve('node_modules/.cache/peers')

/**
 * Unpacks a package of Debian, and the libraries that it needs and this machine lacks, into a folder of its own: mail
 * servers refuse each other as installed packages. Returns the folder. Throws if there is no apt, or the package is not
 * known to it.
 */
export async function unpackDebian(name: string, more: string[] = []): Promise<string> {
  return fetched(name, async (folder) => {
    const packages = [name, ...more]
    const wanted = new Set([...packages, ...(await missingLibraries(packages))])
    await run('apt-get', ['download', ...wanted], { cwd: folder, timeout: fetchMaxMs })
    for (const file of await filesIn(folder)) await run('dpkg-deb', ['-x', join(folder, file), folder])
    // Some libraries are still in /lib, which is /usr/lib on the machine.
    const library = join(folder, 'lib')
    if (existsSync(library)) cpSync(library, join(folder, 'usr/lib'), { recursive: true, verbatimSymlinks: true })
  })
}

/** Installs a package of npm into a folder of its own, without its install scripts. Returns the folder. */
export async function installNpm(name: string, version: string): Promise<string> {
  return fetched(`${name}-${version}`, async (folder) => {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--prefix', folder]
    await run('npm', ['install', ...options, `${name}@${version}`], { cwd: folder, timeout: fetchMaxMs })
  })
}

/** Fills a folder once. A run that is ended meanwhile leaves no half of it. */
async function fetched(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cache, name)
  if (existsSync(folder)) return folder
  const begun = `${folder}.${process.pid}`
  mkdirSync(begun, { recursive: true })
  try {
    await fill(begun)
    renameSync(begun, folder)
    return folder
  } finally {
    rmSync(begun, { recursive: true, force: true })
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const { stdout } = await run('find', [folder, '-maxdepth', '1', '-name', '*.deb', '-printf', '%f\n'])
  return stdout.trim().split('\n')
}

/** Returns the libraries that packages need and that are not installed, with those that these need. */
async function missingLibraries(packages: string[]): Promise<Set<string>> {
  const missing = new Set<string>()
  for (const open = [...packages]; open.length > 0; ) {
    const { stdout } = await run('apt-cache', ['depends', '--important', open.pop()!])
    for (const [, library] of stdout.matchAll(/Depends: (lib[^\s:]+)/g)) {
      if (missing.has(library!) || (await isInstalled(library!))) continue
      missing.add(library!)
      open.push(library!)
    }
  }
  return missing
}

async function isInstalled(name: string): Promise<boolean> {
  const asked = run('dpkg-query', ['-s', name])
  return asked.then(
    ({ stdout }) => stdout.includes('\nStatus: install ok installed'),
    () => false,
  )
}
