import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClosedFolder } from './choose-listening.ts'
import type { Binaries } from './find-binaries.ts'
import type { Home } from './home.ts'
import { logFile, readLogTail } from './log-file.ts'
import { newPassword, passwordFile, readPassword, writePassword } from './password.ts'
import { startingIn } from './paths.ts'

const initdbTimeoutMs = 5 * 60_000
const unfinished = 'cluster.unfinished'

/**
 * Makes the cluster if there is none. It is made under another name and renamed once it is complete and on disk, so
 * that an interrupted attempt is repeated. Text sorts by code point, the same on every machine and after every upgrade.
 */
export async function initialise(home: Home, binaries: Binaries): Promise<void> {
  if (await stat(join(home.cluster, 'PG_VERSION')).catch(() => null)) return
  for (const name of await readdir(home.folder)) {
    if (name.startsWith(unfinished)) await rm(join(home.folder, name), { recursive: true, force: true, maxRetries: 5 })
  }
  // A fresh name, because an initdb whose parent was killed may still be writing into the last one.
  const folder = join(home.folder, `${unfinished}-${process.pid}`)
  await makeClosedFolder(folder, home)
  const args = ['--username=postgres', '--no-instructions', '--data-checksums', ...locale(binaries), ...sync(binaries)]
  await runInitdb(home, binaries, folder, [...args, ...(await auth(home))])
  await rename(folder, home.cluster)
  await syncFolder(home.folder)
}

function locale(binaries: Binaries): string[] {
  const common = ['--encoding=UTF8', '--locale=C']
  if (binaries.major >= 17) return [...common, '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  // Sorts by bytes, but has lower() and upper() for all of Unicode.
  return [...common, '--lc-ctype=C.UTF-8']
}

/** Returns the option for one flush of the file system. An fsync for each of a thousand files takes seconds longer. */
function sync(binaries: Binaries): string[] {
  return process.platform === 'linux' && binaries.major >= 17 ? ['--sync-method=syncfs'] : []
}

/**
 * Except on Windows, the password is set before the first start, and a file beside the cluster controls who may
 * connect.
 */
async function auth(home: Home): Promise<string[]> {
  if (home.account) return ['--auth=reject']
  if ((await readPassword(home)) === undefined) await writePassword(home, newPassword())
  return ['--auth=scram-sha-256', `--pwfile=${passwordFile(home)}`]
}

async function runInitdb(home: Home, binaries: Binaries, folder: string, args: string[]): Promise<void> {
  const log = await open(logFile(home), 'a', 0o600)
  try {
    const { size } = await log.stat()
    const { cluster, options } = startingIn(home, folder)
    const child = spawn(binaries.initdb, [`--pgdata=${cluster}`, ...args], {
      ...options,
      stdio: ['ignore', log.fd, log.fd],
      timeout: initdbTimeoutMs,
      windowsHide: true,
    })
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    if (code !== 0) {
      throw new Error(`initdb ended with ${signal ?? code}: ${await readLogTail(home, size)}`)
    }
  } finally {
    await log.close()
  }
}

/** Flushes a folder, which makes a rename durable. Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
