import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { someAtATime } from '../../platform/waiting/some-at-a-time.ts'

/** Files that are open at once. Some systems allow a process 256 of everything, such as connections. */
export const filesAtOnce = 16

const root = fileURLToPath(new URL('../../../', import.meta.url))

export const sourceFolder = join(root, 'dashboard', 'src')
/** Holds a folder for each build, named by the hash of what it was made from. */
export const buildFolder = join(root, 'dashboard', 'dist')
const serverFolder = join(root, 'src') + sep
const builderFolder = join(root, 'src', 'dashboard', 'build')
const lockfile = join(root, 'package-lock.json')

/**
 * Returns the hash of everything that decides the outcome of a build: sources, the server's files that they import,
 * packages and the builder, as 32 hex digits.
 */
export async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const [path, content] of await readInputs()) {
    hash.update(`${path.slice(root.length)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 32)
}

/** Reads the inputs, and the files of the server that they import, directly or through others. */
async function readInputs(): Promise<Map<string, Buffer>> {
  const inputs = new Map<string, Buffer>()
  let paths = await listInputs()
  while (paths.length > 0) {
    const contents = await someAtATime(filesAtOnce, paths, (path) => readFile(path))
    for (const [index, path] of paths.entries()) inputs.set(path, contents[index]!)
    const imported = paths.flatMap((path, index) => serverFilesIn(path, contents[index]!.toString()))
    paths = [...new Set(imported)].filter((path) => !inputs.has(path)).sort()
  }
  return inputs
}

/** Returns the files of `src/` whose values a file imports. Types are not in the build. */
function serverFilesIn(path: string, code: string): string[] {
  const imports = code.matchAll(/^(?:import|export) (?!type )[^'"=]* from '(\.[^']+)'/gm)
  return [...imports].map(([, from]) => join(dirname(path), from!)).filter((file) => file.startsWith(serverFolder))
}

/**
 * Returns a text that differs when a source was added, removed or written, without reading the contents. The server's
 * files are left out: a server whose files change has to be started anew.
 */
export async function stampSources(): Promise<string> {
  const paths = await listInputs()
  const stats = await someAtATime(filesAtOnce, paths, (path) => stat(path))
  const newestMs = stats.reduce((newest, { mtimeMs }) => Math.max(newest, mtimeMs), 0)
  const bytes = stats.reduce((sum, { size }) => sum + size, 0)
  return `${newestMs} ${bytes} ${paths.length}`
}

async function listInputs(): Promise<string[]> {
  return [...(await listSources()), ...(await filesBelow(builderFolder)), lockfile]
}

/** Returns the paths of all sources but tests, sorted. */
export async function listSources(): Promise<string[]> {
  return (await filesBelow(sourceFolder)).filter((path) => !/\.test\.tsx?$/.test(path))
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
