import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../context.ts'
import { ensureDataFolder } from '../platform/data-folder.ts'
import { findSecret, moveSecret, replaceSecret } from '../platform/keys/secrets.ts'

/** Returns APP_SECRET, or the one that was generated in the data folder, and APP_SECRET_PREVIOUS. Makes none. */
export function secretsInUse({ appSecret, appSecretPrevious }: Config, dataDir: string): string[] {
  const newest = appSecret ?? findSecret(join(dataDir, 'app.secret'))
  return newest === null ? [] : [newest, ...appSecretPrevious]
}

type Kept = {
  /** The files that were written, by the setting whose value they hold. */
  files: { setting: string; path: string }[]
  /** Where a secret is now that was in the place of the restored one; null if there was none. */
  movedTo: string | null
  undo(): void
}

/** Writes the secrets of a backup to the data folder, from which a start takes the newest. Keeps what was there. */
export function keepSecrets(dataDir: string, [newest, ...previous]: string[]): Kept {
  if (newest === undefined) return { files: [], movedTo: null, undo: () => undefined }
  ensureDataFolder(dataDir)
  const path = join(dataDir, 'app.secret')
  const former = findSecret(path)
  const movedTo = former === null || former === newest ? null : join(dataDir, `app.${nameOf(former)}.secret`)
  if (movedTo !== null) moveSecret(path, movedTo)
  if (former !== newest) replaceSecret(path, newest)
  const files = [{ setting: 'APP_SECRET', path }]
  if (previous.length > 0) {
    const beside = join(dataDir, 'app-previous.secret')
    replaceSecret(beside, previous.join(','))
    files.push({ setting: 'APP_SECRET_PREVIOUS', path: beside })
  }
  return { files, movedTo, undo: () => movedTo !== null && moveSecret(movedTo, path) }
}

/** A name for a secret that reveals nothing about it. */
function nameOf(secret: string): string {
  return createHash('sha256').update(`name of ${secret}`).digest('hex').slice(0, 8)
}
