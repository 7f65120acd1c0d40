import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A secret kept in the data folder, made at the first start. */
export function generatedSecret(dataDir: string, name: string): string {
  return writeOnce(join(dataDir, `${name}.secret`), () => `${randomBytes(32).toString('base64url')}\n`).trim()
}

/**
 * What a file holds, which is made where it is not there: readable by its owner only. Two processes that start together
 * end with the same one: the link is atomic, and who comes second reads the first one's.
 */
export function writeOnce(path: string, make: () => string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, make(), { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return readFileSync(path, 'utf8')
}
