import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { kinds } from '../../src/lookup/schema.ts'
import { folderOrder, importsOf } from '../../test/source.ts'
import { pages } from './pages.ts'

const root = dirname(fileURLToPath(import.meta.url))
const server = join(root, '../../src')
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }))

const base = ['api', 'ui', 'status', 'content', 'session', 'typing', 'shell']
/** The folders from the bottom up, nouns as on the server. A folder imports only from folders listed before it. */
const order = [...base, ...folderOrder(), 'usage', 'settings', 'overview']
/** Files that import the pages. Of the folders, only the shell reads the table of pages. */
const roof = ['main.tsx', 'pages.ts', 'worker.ts']
/** Every folder may name a page. */
const ground = 'paths.ts'

test('a folder of the dashboard imports only from folders before it', () => {
  const wrong = files.flatMap((file) => {
    const { path } = file
    if (roof.includes(path) || path === ground) return []
    const here = order.indexOf(path.split('/')[0]!)
    if (here < 0) return [`${path}: write the folder into the list of ARCHITECTURE.md`]
    return importedBy(file).flatMap((target) => {
      if (target.startsWith('../')) return []
      if (target === ground || (target === 'pages.ts' && path.startsWith('shell/'))) return []
      const there = order.indexOf(target.split('/')[0]!)
      return there >= 0 && there <= here ? [] : [`${path} imports ${target}`]
    })
  })
  assert.deepEqual(wrong, [], 'Move what both need to an earlier folder, such as ui.')
})

test('from the server only types of schemas and pure files are imported, so that a rule exists once', () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .map(({ from, values }) => ({ from, values, target: join(root, dirname(file.path), from) }))
      .filter(({ from, target }) => from.startsWith('.') && target.startsWith(server))
      .filter(({ target, values }) => !(target.endsWith('schema.ts') && values.length === 0) && !isPure(target))
      .map(({ from }) => `${file.path} imports ${from}`),
  )
  assert.deepEqual(
    wrong,
    [],
    'A pure file imports values of pure files only, and no package. Cut what both sides need out of the server’s file.',
  )
})

test('no files import each other in a circle, types included', () => {
  const imported = new Map(files.map((file) => [file.path, importedBy(file)]))
  const circles: string[] = []
  const finished = new Set<string>()
  const follow = (path: string, chain: string[]) => {
    if (chain.includes(path)) circles.push([...chain.slice(chain.indexOf(path)), path].join(' -> '))
    if (finished.has(path) || chain.includes(path)) return
    for (const next of imported.get(path) ?? []) follow(next, [...chain, path])
    finished.add(path)
  }
  for (const path of imported.keys()) follow(path, [])
  assert.deepEqual(circles, [], 'Move what both files need into a third one.')
})

test('only api/ talks to the server', () => {
  const strays = files.filter(
    ({ path, text }) => !path.startsWith('api/') && /\bfetch\(|new EventSource|XMLHttpRequest/.test(text),
  )
  assert.deepEqual(
    strays.map(({ path }) => path),
    [],
    'Use call.ts of api/.',
  )
})

test('no file writes HTML or styles as text, which the policy of the page forbids', () => {
  const strays = files.filter(({ text }) =>
    /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|srcDoc|<style|eval\(/.test(
      text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''),
    ),
  )
  assert.deepEqual(
    strays.map(({ path }) => path),
    [],
    'Set text, classes and properties instead.',
  )
})

test('a class has one home: the rules that begin with it stand in one style sheet', () => {
  const homes = new Map<string, Set<string>>()
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.css'))) {
    const code = readFileSync(join(root, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
    for (const [, selectors] of code.matchAll(/([^{}@]+)\{/g)) {
      for (const [, name] of selectors!.matchAll(/(?:^|,)\s*[a-z]*\.([\w-]+)/g))
        homes.set(name!, (homes.get(name!) ?? new Set()).add(path))
    }
  }
  const several = [...homes].filter(([, paths]) => paths.size > 1).map(([name, paths]) => `${name}: ${[...paths]}`)
  assert.deepEqual(several, [], 'Move the rules to the sheet of the part that has the class.')
})

test('the table of pages is sorted by path, without repeats', () => {
  const paths = pages.map(({ path }) => path)
  assert.deepEqual(paths, [...new Set(paths)].toSorted())
})

test('each kind of thing that can be looked up by its id has one page', () => {
  const shown = pages.flatMap(({ shows }) => shows ?? [])
  assert.deepEqual(shown.toSorted(), kinds.toSorted(), 'Name each kind in `shows` of one page of pages.ts.')
})

test('no file of the dashboard is longer than 250 lines', () => {
  assert.deepEqual(
    files.filter(({ text }) => text.split('\n').length > 251).map(({ path }) => path),
    [],
  )
})

/** The paths of the imported files, as this one's is written. */
function importedBy(file: (typeof files)[number]): string[] {
  const own = importsOf(file).filter(({ from }) => from.startsWith('.'))
  return own.map(({ from }) => relative(root, join(root, dirname(file.path), from)).replaceAll('\\', '/'))
}

const known = new Map<string, boolean>()

/** Tells whether a file imports, apart from types, nothing but such files. */
function isPure(path: string): boolean {
  if (!known.has(path)) known.set(path, path.startsWith(server) && valuesIn(path).every(isPure))
  return known.get(path)!
}

function valuesIn(path: string): string[] {
  return importsOf({ path, text: readFileSync(path, 'utf8') })
    .filter(({ values }) => values.length > 0)
    .map(({ from }) => (from.startsWith('.') ? join(dirname(path), from) : from))
}
