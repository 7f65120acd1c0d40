import type { Stats } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from '../environment/read.ts'

/** The user that the database runs as. `other`: not the user of this process, which is then root. */
export type Account = { uid: number; gid: number; other: boolean }

/**
 * PostgreSQL refuses to run as root, so root starts it as the owner of the existing cluster, or as `nobody` if there is
 * none. Other users run it themselves. Null on Windows, which has no such ids.
 */
export async function chooseAccount(cluster: string): Promise<Account | null> {
  if (!process.getuid || !process.getgid) return null
  const owner = await stat(cluster).catch(() => null)
  if (process.getuid() !== 0) {
    if (owner && owner.uid !== process.getuid()) refuseStranger(cluster, owner.uid)
    return { uid: process.getuid(), gid: process.getgid(), other: false }
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, other: true }
  return nobody(await readFile('/etc/passwd', 'utf8').catch(() => ''))
}

function refuseStranger(cluster: string, uid: number): never {
  throw new ConfigError(`The database in ${cluster} belongs to user ${uid}: run Posthorn as that user or as root.`)
}

/** Finds `nobody` in a passwd file. initdb fails under an id that has no line there. */
export function nobody(passwd: string): Account {
  const fields = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(passwd)
  if (!fields) {
    throw new ConfigError(
      'The embedded database cannot run as root, and /etc/passwd has no user "nobody" to run it as: start Posthorn as an ordinary user, or set DATABASE_URL.',
    )
  }
  return { uid: Number(fields[1]), gid: Number(fields[2]), other: true }
}

/** Returns the ids in the form of `chown` and `stat`: macOS writes `nobody` as -2 in its passwd. */
export function ids(account: Account): [uid: number, gid: number] {
  return [account.uid >>> 0, account.gid >>> 0]
}

/**
 * Returns the options with which spawn runs a program as the account. `cwd` is set because the account may not be able
 * to enter the caller's folder.
 */
export function runningAs(account: Account | null): {
  cwd: string
  uid?: number
  gid?: number
  env?: NodeJS.ProcessEnv
} {
  if (!account) return { cwd: process.cwd() }
  // With an empty environment the caller's PG* variables have no effect, and the child's environment shows no secret.
  const env = { LC_ALL: 'C' }
  // spawn takes signed 32-bit ids only.
  return account.other ? { cwd: '/', env, uid: account.uid | 0, gid: account.gid | 0 } : { cwd: '/', env }
}

/**
 * Tells whether the account can read `path` and walk to it, by mode bits only. If ACLs allow more, the answer is still
 * false.
 */
export async function reaches(account: Account | null, path: string): Promise<boolean> {
  if (!account?.other) return true
  const real = await realpath(path)
  return allows(account, await stat(real), 4) && passesThrough(account, dirname(real))
}

/** Tells whether the account can pass through `folder` to paths inside that it knows. */
export async function passesThrough(account: Account | null, folder: string): Promise<boolean> {
  if (!account?.other) return true
  for (let at = await realpath(folder); ; at = dirname(at)) {
    if (!allows(account, await stat(at), 1)) return false
    if (at === dirname(at)) return true
  }
}

function allows(account: Account, file: Stats, bit: 1 | 4): boolean {
  const [uid, gid] = ids(account)
  const wanted = file.isDirectory() ? bit | 1 : bit
  const shift = file.uid === uid ? 6 : file.gid === gid ? 3 : 0
  return ((file.mode >> shift) & wanted) === wanted
}
