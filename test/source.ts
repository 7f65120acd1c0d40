import { globSync, readFileSync } from 'node:fs'

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

/** Blanks out comments, which may mention what code may not do. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(^|\s)\/\/[^\n]*/g, '$1')
}

export type Import = { names: string; from: string; isType: boolean }

/** The imports of a file, and the modules whose types it extends. */
export function importsOf(file: SourceFile): Import[] {
  const found = file.text.matchAll(/^(?:import|export) (type )?([^;'"]*?)from '([^']+)'/gm)
  const dynamic = file.code.matchAll(/import\('([^']+)'\)/g)
  const extended = file.text.matchAll(/^declare module '([^']+)'/gm)
  return [
    ...[...found].map(([, type, names = '', from = '']) => ({ names, from, isType: type !== undefined })),
    ...[...dynamic].map(([, from = '']) => ({ names: '*', from, isType: false })),
    ...[...extended].map(([, from = '']) => ({ names: '', from, isType: true })),
  ]
}

/** The path that an import names, relative to `src/`: `platform/ids.ts` for `../platform/ids.ts`. Null for packages. */
export function resolveImport(file: SourceFile, from: string): string | null {
  if (!from.startsWith('.')) return null
  return new URL(from, new URL(file.path, 'file:///src/')).pathname.replace('/src/', '')
}
