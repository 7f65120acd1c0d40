import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrationsHash, testServerSettings } from './database.ts'

const lock = readFileSync(new URL('../package-lock.json', import.meta.url))
/** Another version of the migrations, of PostgreSQL or of its settings is another cluster. */
const key = createHash('sha256')
  .update(JSON.stringify([migrationsHash(), testServerSettings, lock.toString('base64'), process.getuid?.()]))
  .digest('hex')
const prefix = join(tmpdir(), 'posthorn-test-cluster-')
const kept = prefix + key.slice(0, 12)
const ageMaxMs = 7 * 24 * 3600 * 1000
/** Windows has no command that copies owners and modes. */
const canKeep = process.platform !== 'win32'

/**
 * Copies the cluster that an earlier run has kept, with its migrated template, into the data folder, since making both
 * takes seconds. Returns false if there is none.
 */
export function copyPreparedCluster(dataDir: string): boolean {
  if (!canKeep || !existsSync(kept)) return false
  execFileSync('cp', ['-a', `${kept}/.`, dataDir])
  return true
}

/** Keeps the cluster of a data folder, which must be stopped, for later runs, and removes those that are a week old. */
export function keepCluster(dataDir: string): void {
  if (!canKeep) return
  for (const old of globSync(`${prefix}*`)) {
    if (statSync(old).mtimeMs < Date.now() - ageMaxMs) rmSync(old, { recursive: true, force: true })
  }
  const draft = mkdtempSync(`${kept}-`)
  execFileSync('cp', ['-a', `${dataDir}/.`, draft])
  try {
    renameSync(draft, kept)
  } catch {
    // Another run was faster.
    rmSync(draft, { recursive: true, force: true })
  }
}
