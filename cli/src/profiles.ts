import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure } from './failure.ts'
import type { Io } from './io.ts'

export type Profile = { url: string; key: string }
type Profiles = Record<string, Profile>

/** The profile that is used without a name. */
export const defaultProfile = 'default'

export function configPath({ env }: Pick<Io, 'env'>): string {
  const home = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return join(home, 'posthorn', 'config.json')
}

/** Returns the saved profiles, by name. Throws a `Failure` if the file cannot be read. */
export function readProfiles(io: Pick<Io, 'env'>): Profiles {
  const path = configPath(io)
  try {
    const { profiles } = JSON.parse(readFileSync(path, 'utf8')) as { profiles?: unknown }
    return Object.assign(Object.create(null), isObject(profiles) ? profiles : {}) as Profiles
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return Object.create(null) as Profiles
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message
    throw new Failure(
      1,
      'config_unreadable',
      `${path} cannot be read: ${why}. Correct it, or remove it and log in again.`,
    )
  }
}

/** Replaces the file. Only its owner may read it, and no reader sees half of it. */
export function writeProfiles(io: Pick<Io, 'env'>, profiles: Profiles): void {
  const path = configPath(io)
  const own = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rmSync(own, { force: true })
  writeFileSync(own, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(own, path)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
