import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../dashboard/src')
const methods: Record<string, string> = {
  get: 'GET',
  post: 'POST',
  patch: 'PATCH',
  changeLatest: 'PATCH',
  remove: 'DELETE',
}
/** These read one thing: their path is followed by an id, and perhaps a part such as `/events`. */
const ofOne =
  /\b(?:use|prefetch)?[oO]ne(?:Of)?(?:<[^(]*>)?\(\s*([^,()]+|'[^']*'),[^,)]*(?:\([^)]*\))?(?:,\s*('[^']*'|`[^`]*`))?/g
const literal = /'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g
/** Paths that are changed, not read. */
const changes = /\b(?:post|patch|remove|removeShown)(?:<[^;(]*>)?\((?:withQuery\()?\s*(?:'[^']*'|`[^`]*`)/g
const named = /(?:\bconst (\w+)(?:: [^=]+)? = |\b(\w+): |\b(\w+)=\{?)('[^'\n]*'|`[^`\n]*`)/g

type Source = { folder: string; code: string }

/**
 * Returns the endpoints that the sources of pages call, such as `GET /v1/emails/{}`, with the folders that call them. It reads
 * the sources as text: paths in strings, with the names that hold a path replaced by it. A path that is written
 * without a method counts as read.
 */
export function callsOfDashboard(): Map<string, Set<string>> {
  const sources = readSources()
  const shared = namesOf(sources.map(({ code }) => code.replaceAll(/^(?!export const).*$/gm, '')).join('\n'))
  const calls = new Map<string, Set<string>>()
  for (const { folder, code } of sources) {
    const own = namesOf(code)
    const resolve = (text: string) => resolvePath(text, own, shared)
    for (const [method, text] of findCalls(code)) {
      for (const path of resolve(text)) {
        const name = `${method} ${path}`
        calls.set(name, (calls.get(name) ?? new Set()).add(folder))
      }
    }
  }
  return calls
}

function readSources(): Source[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ folder: relative(root, dirname(path)), code: readFileSync(path, 'utf8') }))
}

/** Texts that may be paths, each with the method that is called with it. */
function* findCalls(code: string): Generator<[method: string, text: string]> {
  for (const [text] of code.replaceAll(changes, ' ').matchAll(literal)) yield ['GET', text]
  const call = /\b(get|post|patch|changeLatest|remove)(?:<[^;(]*>)?\((?:withQuery\()?\s*('[^']*'|`[^`]*`|[\w.]+)/g
  for (const [, name, text] of code.matchAll(call)) yield [methods[name!]!, text!]
  for (const [, method, text] of code.matchAll(/\bcall(?:<[^(]*>)?\('(\w+)',\s*('[^']*'|`[^`]*`|\w+)/g))
    yield [method!, text!]
  for (const [, path, part] of code.matchAll(ofOne))
    yield ['GET', `\`\${${path!.trim()}}/{}${(part ?? '').slice(1, -1)}\``]
  for (const [, text] of code.matchAll(/\bremoveShown\(\s*('[^']*'|`[^`]*`|[\w.]+)/g))
    yield ['DELETE', `\`\${${text}}/{}\``]
  for (const [, noun] of code.matchAll(/<DeleteShown noun="([^"]+)"/g)) yield ['DELETE', `'/v1/${noun}/{}'`]
  // A list is read by the name that holds its path.
  for (const [, text] of code.matchAll(/\b(?:useList|listOf|prefetchList|withQuery)(?:<[^(]*>)?\((?:\w+, )?([\w.]+)/g))
    yield ['GET', text!]
}

/** The names that hold a path, with all that they may hold. */
function namesOf(code: string): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const [, constant, property, attribute, text] of code.matchAll(named)) {
    const name = (constant ?? property ?? attribute)!
    if (text!.length > 2) names.set(name, [...(names.get(name) ?? []), text!])
  }
  return names
}

/** Returns the paths that an expression may be, with `{}` for what is not known. Empty for what is no path. */
function resolvePath(text: string, own: Map<string, string[]>, shared: Map<string, string[]>, depth = 0): string[] {
  if (depth > 4) return []
  const next = (name: string) =>
    (own.get(name) ?? shared.get(name) ?? []).flatMap((value) => resolvePath(value, own, shared, depth + 1))
  if (/^[\w.]+$/.test(text)) return next(text.split('.').at(-1)!)
  let paths = [text.slice(1, -1)]
  const first = /^\$\{([\w.]+|'[^']*'|`[^`]*`)\}/.exec(paths[0]!)
  if (first) {
    const rest = paths[0]!.slice(first[0].length)
    paths = resolvePath(first[1]!, own, shared, depth + 1).map((start) => start + rest)
  }
  return paths
    .map((path) => path.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}').replace(/\?.*$/, ''))
    .filter((path) => /^\/(v1|auth)\/[\w{}/-]+$/.test(path))
}
