import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folderOrder, importsOf, resolveImport, type SourceFile, sourceFiles } from './source.ts'

const product = sourceFiles().filter((file) => !file.isTest)

/** A folder imports only from folders listed before it. */
const order = folderOrder()
/** Files and folders that import every folder and are not imported. */
const roof = ['app.ts', 'features.ts', 'main.ts', 'quickstart.ts', 'storage.ts', 'start', 'backup', 'cli']

/**
 * Files that read the environment. They import the declarations of any folder; only `main.ts` and the commands import
 * them.
 */
const reads = ['config.ts', 'production.ts', 'settings.ts']

function isRoof(path: string): boolean {
  return roof.some((name) => path === name || path.startsWith(`${name}/`))
}

test('a folder imports only from folders before it', () => {
  const wrong = product.flatMap((file) => {
    if (isRoof(file.path) || reads.includes(file.path)) return []
    return importsOf(file).flatMap(({ from }) => {
      const target = resolveImport(file, from)
      if (target === null) return []
      if (isRoof(target)) return [`src/${file.path} imports the roof: ${target}`]
      if (reads.includes(target))
        return [`src/${file.path} imports ${target}: use app.config, and the type in context.ts`]
      if (!target.includes('/')) return []
      // The ground: it has no folder and is below all others.
      if (file.folder === '') return target.startsWith('platform/') ? [] : [`src/${file.path} imports ${target}`]
      const [here, there] = [file.folder, target.split('/')[0]!].map((folder) => order.indexOf(folder))
      return there! <= here! ? [] : [`src/${file.path} imports ${target}`]
    })
  })
  assert.deepEqual(
    wrong,
    [],
    'Publish an event that the later folder subscribes to, or move what both need to an earlier folder. A part of App ' +
      'or Tx is added by `declare module` in the file that has its type.',
  )
})

test('every folder has its place in the order', () => {
  const unknown = new Set(
    product.map((file) => file.folder).filter((folder) => ![...order, ...roof, ''].includes(folder)),
  )
  assert.deepEqual(
    [...unknown],
    [],
    'Write the folder into the list of ARCHITECTURE.md, where what it imports stands before it.',
  )
})

test('imports have no cycle, types included', () => {
  assert.deepEqual(
    [product, sourceFiles('cli/src'), sourceFiles('sdk/src')].flatMap(circlesIn),
    [],
    'Move what both files need into the one that imports less, or into a third one. What context.ts, database.ts or ' +
      'events.ts would import is added by the file that has the type: `declare module` with `interface App`, `Database` or `Events`.',
  )
})

/** Returns the circles among files of one root, each as a chain of paths. */
function circlesIn(files: SourceFile[]): string[] {
  const imported = new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .map(({ from }) => resolveImport(file, from))
        .filter((path) => path !== null),
    ]),
  )
  const circles: string[] = []
  const finished = new Set<string>()
  function follow(path: string, chain: string[]): void {
    if (chain.includes(path)) circles.push([...chain.slice(chain.indexOf(path)), path].join(' -> '))
    if (finished.has(path) || chain.includes(path)) return
    for (const next of imported.get(path) ?? []) follow(next, [...chain, path])
    finished.add(path)
  }
  for (const path of imported.keys()) follow(path, [])
  return circles
}
