import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDataFolder } from '../data-folder.ts'
import { ConfigError } from '../environment/read.ts'
import type { Keyring } from './keyring.ts'

/** Returns a secret from the data folder, which is generated at the first start. */
export function generatedSecret(dataDir: string, name: string): string {
  ensureDataFolder(dataDir)
  return writeOnce(join(dataDir, `${name}.secret`), () => `${randomBytes(32).toString('base64url')}\n`).trim()
}

/**
 * Returns a secret that is derived from APP_SECRET, so that all processes of an installation have the same. It is
 * written to the data folder, if possible, for people who sign with it; no process reads it there.
 */
export function derivedSecret(dataDir: string, name: string, keyring: Keyring): string {
  const [secret] = derivedSecrets(name, keyring)
  const path = join(dataDir, `${name}.secret`)
  try {
    if (readIfThere(path) !== `${secret}\n`) {
      ensureDataFolder(dataDir)
      replaceSecret(path, secret)
    }
  } catch {
    // The folder may be read-only; the secret is the same without the file.
  }
  return secret
}

/** Returns the secret of a file; null if there is no such file. */
export function findSecret(path: string): string | null {
  return readIfThere(path)?.trim() || null
}

/** Writes a secret to a file, which it replaces. */
export function replaceSecret(path: string, secret: string): void {
  renameSync(writeDraft(path, `${secret}\n`), path)
}

export function moveSecret(path: string, to: string): void {
  renameSync(path, to)
}

/** Returns the secret as derived from each APP_SECRET, the newest first, since signers may still use an older one. */
export function derivedSecrets(name: string, keyring: Keyring): [newest: string, ...older: string[]] {
  const [newest, ...older] = keyring.signatures('secret', name).map((bytes) => bytes.toString('base64url'))
  return [newest!, ...older]
}

/**
 * Returns the content of a file, which is made if it does not exist, readable by its owner only. Two processes that
 * start together get the same content: the link is atomic, and the second reads the first one's.
 */
export function writeOnce(path: string, make: () => string): string {
  const found = readIfThere(path)
  if (found !== null) return refuseEmpty(path, found)
  const draft = writeDraft(path, make())
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return refuseEmpty(path, readFileSync(path, 'utf8'))
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
}

/** Writes a file under a name that no other process uses: in containers every process may have the same id. */
function writeDraft(path: string, text: string): string {
  const draft = `${path}.${randomBytes(9).toString('base64url')}`
  writeFileSync(draft, text, { mode: 0o600, flush: true, flag: 'wx' })
  return draft
}

function refuseEmpty(path: string, text: string): string {
  if (text.trim() === '') throw new ConfigError(`${path} is empty. Restore it, or delete it to have a new one made.`)
  return text
}
