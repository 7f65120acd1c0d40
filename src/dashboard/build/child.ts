import { hash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { type OutputChunk, rolldown } from 'rolldown'
import { someAtATime } from '../../platform/waiting/some-at-a-time.ts'
import type { Manifest } from './manifest.ts'
import { importsOf, scriptsByPage } from './page-scripts.ts'
import { filesAtOnce, listSources, sourceFolder } from './sources.ts'
import { joinStyles } from './styles.ts'

/** Parts that this many pages and dialogs use become one file. Alone they are dozens of files of half a kilobyte. */
const sharedBy = 6
const shared = 'shared'
const groups = [
  { name: 'first', tags: ['$initial' as const], priority: 1 },
  { name: shared, test: /dashboard[\\/]src[\\/](api|session|shell|status|ui)[\\/]/, minShareCount: sharedBy },
]

/**
 * Runs in a process of its own, which `run.ts` starts: bundles the dashboard into the folder that the argument names.
 */
yieldToServer()
await bundleInto(process.argv[2]!)

/** Gives way to the server, and ends first if the machine runs out of memory. */
function yieldToServer(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // A container may forbid either; the build works without.
  }
}

async function bundleInto(folder: string): Promise<void> {
  const files = new Map<string, string>()
  const add = (text: string, extension: string) => {
    const name = `${hash('sha256', text).slice(0, 16)}.${extension}`
    files.set(name, text)
    return name
  }
  const frame = add(frameOf(add(await bundleWorker(), 'js')), 'html')
  const [chunks, style, icon] = await Promise.all([bundlePage(frame), readStyles(), readIcon()])
  for (const { fileName, code } of chunks) files.set(fileName, code)
  const entry = chunks.find(({ isEntry }) => isEntry)!
  const parts = chunks.filter(({ name }) => name === shared).map(({ fileName }) => fileName)
  const first = [...importsOf(entry, chunks), ...parts]
  const manifest: Manifest = {
    entry: entry.fileName,
    first,
    style: add(style, 'css'),
    icon: icon === null ? null : add(icon, 'svg'),
    files: [...files.keys()],
    pages: await scriptsByPage([entry.fileName, ...first], chunks),
  }
  await someAtATime(filesAtOnce, [...files], ([name, text]) => store(folder, name, text))
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
}

/** Returns the script of the worker, which is one file. */
async function bundleWorker(): Promise<string> {
  const path = join(sourceFolder, 'worker.ts')
  return existsSync(path) ? (await bundleScripts(path, {}))[0]!.code : ''
}

/**
 * Returns the page of the frame that starts the worker: the policy of the dashboard's own page lets no script do so.
 */
function frameOf(script: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Worker</title><script type="module" src="/app/assets/${script}"></script>\n`
}

function bundlePage(frame: string): Promise<OutputChunk[]> {
  return bundleScripts(join(sourceFolder, 'main.tsx'), { WORKER_FRAME: JSON.stringify(`/app/assets/${frame}`) })
}

async function bundleScripts(input: string, define: Record<string, string>): Promise<OutputChunk[]> {
  const bundle = await rolldown({
    input,
    platform: 'browser',
    logLevel: 'silent',
    transform: { jsx: { runtime: 'automatic' }, define },
  })
  const { output } = await bundle.generate({
    format: 'es',
    minify: true,
    hashCharacters: 'hex',
    // Without words, since ad blockers refuse names with `track` or `analytics`.
    entryFileNames: '[hash:16].js',
    chunkFileNames: '[hash:16].js',
    codeSplitting: { groups },
  })
  await bundle.close()
  return output.filter((file) => file.type === 'chunk')
}

async function readStyles(): Promise<string> {
  const paths = (await listSources()).filter((path) => path.endsWith('.css'))
  const sheets = await someAtATime(filesAtOnce, paths, async (path) => ({
    path: relative(sourceFolder, path).split(sep).join('/'),
    text: await readFile(path, 'utf8'),
  }))
  return joinStyles(sheets)
}

async function readIcon(): Promise<string | null> {
  const path = join(sourceFolder, 'icon.svg')
  return existsSync(path) ? readFile(path, 'utf8') : null
}

async function store(folder: string, name: string, text: string): Promise<void> {
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(text, { level: 9 }),
    // Quality 11 takes ten times as long and saves 4 percent.
    promisify(brotliCompress)(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } }),
  ])
  await Promise.all([writeFile(join(folder, `${name}.gz`), gzipped), writeFile(join(folder, `${name}.br`), brotli)])
}
