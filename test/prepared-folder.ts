import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrationsHash } from './database.ts'

/** A folder that takes seconds to make. Runs keep it among the temporary files, and others copy it. */
export type PreparedFolder = {
  /** Copies it into `folder`. Returns false if no run has kept it yet. */
  copyTo(folder: string): boolean
  /** Keeps a copy of `folder`, in which no program may run, and removes folders that are a week old. */
  keep(folder: string): void
}

const lock = readFileSync(new URL('../package-lock.json', import.meta.url), 'base64')
const prefix = join(tmpdir(), 'posthorn-test-')
const ageMaxMs = 7 * 24 * 3600 * 1000
/** Windows has no command that copies owners and modes. */
const canKeep = process.platform !== 'win32'

/** Other migrations, another version of PostgreSQL, or other `contents` make another folder. */
export function preparedFolder(name: string, contents: unknown): PreparedFolder {
  const key = JSON.stringify([migrationsHash(), lock, contents])
  // The folders of other users cannot be copied or removed.
  const ofUser = `${prefix}${name}-${process.getuid?.() ?? 'user'}`
  const kept = `${ofUser}-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`
  return {
    copyTo(folder) {
      if (!canKeep || !existsSync(kept)) return false
      execFileSync('cp', ['-a', `${kept}/.`, folder])
      return true
    },
    keep(folder) {
      if (!canKeep) return
      for (const old of globSync(`${ofUser}-*`)) {
        if (statSync(old).mtimeMs < Date.now() - ageMaxMs) rmSync(old, { recursive: true, force: true })
      }
      const draft = mkdtempSync(`${kept}-`)
      execFileSync('cp', ['-a', `${folder}/.`, draft])
      try {
        renameSync(draft, kept)
      } catch {
        // Another run was faster.
        rmSync(draft, { recursive: true, force: true })
      }
    },
  }
}
