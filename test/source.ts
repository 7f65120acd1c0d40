import { globSync, readFileSync } from 'node:fs'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'

/** A file for the tests on the architecture; `path` and `folder` are relative to `src/`, or to another root. */
export type SourceFile = { path: string; folder: string; isTest: boolean; text: string; code: string }

export function sourceFiles(folder = 'src'): SourceFile[] {
  const root = new URL(`../${folder}/`, import.meta.url)
  return globSync('**/*.ts', { cwd: root }).map((found) => {
    const path = found.replaceAll('\\', '/')
    const text = readFileSync(new URL(path, root), 'utf8')
    const isTest = /\.test\.ts$|(^|\/)fixtures\//.test(path)
    return { path, folder: path.includes('/') ? path.split('/')[0]! : '', isTest, text, code: withoutComments(text) }
  })
}

/** The folders of `src/` from the bottom up, as ARCHITECTURE.md lists them. The dashboard's follow the same order. */
export function folderOrder(): string[] {
  const text = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8')
  const [, list = ''] = /in this list:\n\n([\s\S]*?)\n\n/.exec(text) ?? []
  return [...list.matchAll(/^ {4}(\S+(?: · \S+)*)/gm)].flatMap(([, names]) => names!.split(' · '))
}

/** Blanks out comments, which may mention what code may not do. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(^|\s)\/\/[^\n]*/g, '$1')
}

/** `values` are the names of what is loaded, `*` for a whole module; none if only types are used. */
export type Import = { from: string; values: string[] }

const known = new WeakMap<object, Import[]>()

/** The imports of a file, and the modules whose types it extends. */
export function importsOf(file: Pick<SourceFile, 'path' | 'text'>): Import[] {
  const found = known.get(file) ?? findImports(file)
  known.set(file, found)
  return found
}

function findImports({ path, text }: Pick<SourceFile, 'path' | 'text'>): Import[] {
  const found: Import[] = []
  const visitor = new Visitor({
    ImportDeclaration({ source, importKind, specifiers }) {
      const names = specifiers.flatMap((one) => {
        if (one.type !== 'ImportSpecifier') return ['*']
        return one.importKind === 'type' ? [] : [nameOf(one.imported)]
      })
      found.push({ from: source.value, values: valuesOf(importKind, names) })
    },
    ExportNamedDeclaration({ source, exportKind, specifiers }) {
      const names = specifiers.map(({ local }) => nameOf(local))
      if (source) found.push({ from: source.value, values: valuesOf(exportKind, names) })
    },
    ExportAllDeclaration({ source, exportKind }) {
      found.push({ from: source.value, values: valuesOf(exportKind, []) })
    },
    ImportExpression({ source }) {
      if (source.type === 'Literal') found.push({ from: String(source.value), values: ['*'] })
    },
    TSImportType({ source }) {
      found.push({ from: source.value, values: [] })
    },
    TSModuleDeclaration({ id }) {
      if (id.type === 'Literal') found.push({ from: id.value, values: [] })
    },
  })
  visitor.visit(parseSync(path, text).program)
  return found
}

function nameOf(name: ESTree.ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name
}

/** A statement that names nothing loads the module all the same. */
function valuesOf(kind: 'type' | 'value' | undefined, names: string[]): string[] {
  if (kind === 'type') return []
  return names.length > 0 ? names : ['*']
}

/** The path that an import names, relative to `src/`: `platform/ids.ts` for `../platform/ids.ts`. Null for packages. */
export function resolveImport(file: SourceFile, from: string): string | null {
  if (!from.startsWith('.')) return null
  return new URL(from, new URL(file.path, 'file:///src/')).pathname.replace('/src/', '')
}
