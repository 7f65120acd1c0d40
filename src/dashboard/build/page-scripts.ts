import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OutputChunk } from 'rolldown'
import { sourceFolder } from './sources.ts'

/**
 * The scripts of each page by its path below `/app/`, with `:id` for `$id`: those beyond the ones that every page
 * loads.
 */
export async function scriptsByPage(everywhere: string[], chunks: OutputChunk[]): Promise<Record<string, string[]>> {
  const first = new Set(everywhere)
  const scriptsOf = (module: string | undefined) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === join(sourceFolder, module ?? ''))
    const scripts = chunk ? [chunk.fileName, ...importsOf(chunk, chunks)] : []
    return scripts.filter((name) => !first.has(name))
  }
  return Object.fromEntries((await readPages()).map(({ path, module }) => [path, scriptsOf(module)]))
}

/** Returns the chunks that a chunk imports, directly or through others, in the order of their discovery. */
export function importsOf(chunk: OutputChunk, chunks: OutputChunk[]): string[] {
  const found = new Set(chunk.imports)
  for (const name of found) {
    for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) found.add(next)
  }
  return [...found]
}

type Page = { path: string; module: string | undefined }

/**
 * Reads the table of pages. They are loaded lazily, so that importing the table runs none of them; the text of a page's
 * loader names its module.
 */
async function readPages(): Promise<Page[]> {
  const path = join(sourceFolder, 'pages.ts')
  if (!existsSync(path)) return [{ path: '', module: undefined }]
  const { pages } = (await import(pathToFileURL(path).href)) as { pages: { path: string; load: () => unknown }[] }
  return pages.map((page) => ({
    path: page.path.replace(/^\//, '').replaceAll('$', ':'),
    module: /import\('\.\/(.+)'\)/.exec(String(page.load))?.[1],
  }))
}
