import { spawn } from 'node:child_process'
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../environment/read.ts'
import type { Binaries } from './find-binaries.ts'
import type { Home } from './home.ts'
import { startingIn } from './paths.ts'

const setTimeoutMs = 60_000
/** The minimum of RFC 7677. The password has 192 random bits, so more would add nothing. */
const iterations = 4096

/** Reads the password of both roles; undefined for a cluster that has none yet. */
export async function readPassword(home: Home): Promise<string | undefined> {
  try {
    return (await readFile(passwordFile(home), 'utf8')).trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new ConfigError(`${passwordFile(home)} must be readable to Posthorn (${code}): run it as the user it ran as.`)
  }
}

export function newPassword(): string {
  return randomBytes(24).toString('hex')
}

/** Writes the password under another name and renames it, so that no process reads half of it. */
export async function writePassword(home: Home, password: string): Promise<void> {
  const draft = `${passwordFile(home)}.${process.pid}`
  await writeFile(draft, password, { mode: 0o600, flush: true })
  await rename(draft, passwordFile(home))
}

export function passwordFile(home: Home): string {
  return join(home.folder, 'password')
}

/**
 * Gives a stopped cluster a password if it has none. PostgreSQL runs in single-user mode, without listening, and gets
 * only a verifier. An interrupted attempt is repeated, since the file is written last.
 */
export async function ensurePassword(home: Home, binaries: Binaries): Promise<void> {
  // On Windows initdb has set it.
  if (!home.account || (await readPassword(home)) !== undefined) return
  const password = newPassword()
  const verifier = verifierOf(password)
  await runAlone(home, binaries, [
    `alter role postgres password '${verifier}';`,
    `do $$ begin if exists (select from pg_roles where rolname = 'posthorn') then alter role posthorn password '${verifier}'; end if; end $$;`,
  ])
  await writePassword(home, password)
}

async function runAlone(home: Home, binaries: Binaries, statements: string[]): Promise<void> {
  const { cluster, options } = startingIn(home)
  const child = spawn(binaries.postgres, ['--single', '-j', '-D', cluster, 'postgres'], {
    ...options,
    stdio: ['pipe', 'ignore', 'pipe'],
    timeout: setTimeoutMs,
  })
  let said = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4096)
  })
  child.stdin!.on('error', () => {})
  // With -j a statement ends with a semicolon and an empty line.
  child.stdin!.end(`${statements.join('\n\n')}\n\n`)
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(said)) {
    throw new Error(`The database could not be given a password (${signal ?? code}): ${said.trim()}`)
  }
}

/** The verifier that PostgreSQL keeps of a password (RFC 5803), so that no statement contains the password. */
function verifierOf(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  const server = keyOf('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`
}
