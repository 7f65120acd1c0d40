import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { cachePath, type Outcome, writeCached } from './part.ts'

/**
 * The result for a file also depends on these: the rules, the linter, and the packages for which the linter has rules.
 */
const rules = ['biome.json', 'package.json', 'node_modules/@biomejs/biome/package.json']

export const unchanged: Outcome = { passed: true, output: '', note: 'nothing has changed' }

/** Runs a check of all programs, unless it has passed for exactly these programs and packages. */
export async function unlessPassed(name: string, all: boolean, run: () => Promise<Outcome>): Promise<Outcome> {
  const hash = hashOf([...hashFiles((path) => /\.(?:[cm]?[jt]sx?|json)$/.test(path)).values()])
  if (!all && readPassed(name).includes(hash)) return unchanged
  const outcome = await run()
  if (outcome.passed) writePassed(name, [hash])
  return outcome
}

/**
 * Returns the hash of each file of the checkout, by its path. Files that git ignores are left out, as the linter does.
 */
export function hashFiles(isWanted: (path: string) => boolean): Map<string, string> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', list, { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0')
  const files = [...new Set(paths)].filter((path) => isWanted(path) && existsSync(path) && statSync(path).isFile())
  const base = hashOf(rules.map((path) => readFileSync(path)))
  return new Map(files.map((path) => [path, hashOf([base, path, readFileSync(path)])]))
}

export function hashOf(parts: (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest('base64url')
}

/** Returns the hashes of what passed at the last run that passed. */
export function readPassed(name: string): string[] {
  const path = cachePath(`${name}.txt`)
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
}

export function writePassed(name: string, hashes: string[]): void {
  writeCached(`${name}.txt`, hashes.join('\n'))
}
