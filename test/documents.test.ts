import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { help } from '../src/cli/help.ts'
import { blocksOf, runDocuments } from './documented.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['.', 'docs', 'docs/decisions', 'dashboard', 'bench']
const documents = folders.flatMap((folder) =>
  readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : [])),
)
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('every link and picture of the documents leads to a file', () => {
  const missing = documents.flatMap((path) => {
    const targets = [...read(path).matchAll(/\]\((?!https?:|mailto:|#|data:)([^)#\s]+)/g)].map(([, target]) => target!)
    return targets
      .filter((target) => !existsSync(join(root, dirname(path), target)))
      .map((target) => `${path}: ${target}`)
  })
  assert.deepEqual(missing, [])
})

/** Headings as GitHub and other hosts link to them. */
function anchorsOf(path: string): string[] {
  const headings = read(path).matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('every link to a part of a document leads to a heading', () => {
  const missing = documents.flatMap((path) => {
    const links = [...read(path).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
    const wrong = links.filter(([, target, anchor]) => {
      const page = target ? join(dirname(path), target) : path
      return page.endsWith('.md') && !anchorsOf(page).includes(anchor!)
    })
    return wrong.map(([link]) => `${path}: ${link}`)
  })
  assert.deepEqual(missing, [])
})

test('the README begins with what it is, the command that starts it, and a picture, before the features', () => {
  const text = read('README.md')
  const places = ['The messaging platform', 'npm ci && npm start', '![', '## Features', 'npm ci && npm test'].map(
    (part) => text.indexOf(part),
  )
  assert.ok(!places.includes(-1))
  assert.deepEqual(
    places.toSorted((a, b) => a - b),
    places,
  )
  assert.ok(text.slice(0, text.indexOf('![')).split('\n').length <= 25, 'on the first screen')
})

test('ARCHITECTURE.md and each page of decisions are short', () => {
  const linesMax = (path: string) => (path === 'ARCHITECTURE.md' ? 140 : 249)
  const pages = ['ARCHITECTURE.md', ...documents.filter((path) => path.startsWith('docs/decisions/'))]
  const long = pages.filter((path) => read(path).trimEnd().split('\n').length > linesMax(path))
  assert.deepEqual(long, [], 'Move a subject to a page of its own: in docs/inside.md, or in docs/decisions.')
})

test('no document says of a feature that it is not built yet', () => {
  const found = documents.filter((path) =>
    /not (?:yet built|built yet|yet implemented|implemented yet)/i.test(read(path)),
  )
  assert.deepEqual(found, [])
})

test('each block of commands of a document is run by a test, or says why it is not', () => {
  const unknown = documents.flatMap((path) => {
    const isRun = (info: string) => info === 'sh' && runDocuments.includes(path)
    const isNoShell = (info: string) => /^(ts|js|json|python|sql|ini|yaml|text)$/.test(info)
    const others = blocksOf(path).filter(
      ({ info }) => !isRun(info) && !isNoShell(info) && !/^sh not run: \S/.test(info),
    )
    return others.map(({ info, text }) => `${path}: \`\`\`${info} ${text.split('\n')[0]}`)
  })
  assert.deepEqual(
    unknown,
    [],
    'Add the document to test/documented.ts, or begin the block with ```sh not run: REASON.',
  )
})

test('settings that a document shows mean the same to a shell, systemd and Docker Compose', () => {
  const settings = /^(?: {4})?([A-Z][A-Z_]+=(?!\$\()(?!.* np[mx] ).*?)(?: \\)?$/gm
  const isPlain = (text: string) => /^[A-Z_]+=(?:[^\s'"$<>|&;()*#`\\]*|'[^']*')$/.test(text)
  const wrong = documents.flatMap((path) => {
    const lines = [...read(path).matchAll(settings)].map(([, line]) => line!)
    // A description stands for a secret that the reader makes.
    const given = lines.filter((line) => !line.includes('=the output of '))
    return given.filter((line) => !line.split(/ (?=[A-Z_]+=)/).every(isPlain)).map((line) => `${path}: ${line}`)
  })
  assert.deepEqual(wrong, [], "Quote the value: NAME='…'.")
})

test('the commands of documents that a test runs are in fenced blocks, where it finds them', () => {
  const command = /^ {4}(?:api|bash|cat|curl|docker|git|node|npm|npx|psql|\w+=\S*$) .*/gm
  const found = runDocuments.flatMap((path) => (read(path).match(command) ?? []).map((line) => `${path}: ${line}`))
  assert.deepEqual(found, [])
})

test('docs/production.md names settings and commands that exist', () => {
  const known = [...read('docs/settings.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  const [settings, unit] = blocksOf('docs/production.md').filter(({ info }) => info === 'ini')
  const set = [...settings!.text.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
  assert.deepEqual(
    set.filter((name) => name !== 'NODE_ENV' && !known.includes(name)),
    [],
  )
  assert.ok(set.length > 10 && existsSync(join(root, /ExecStart=\S+ (\S+)/.exec(unit!.text)![1]!)))
  const commands = [...read('docs/production.md').matchAll(/^posthorn (\w+ \w+)|`posthorn ([\w-]+ [\w-]+)`/gm)]
  const names = commands.map(([, line, word]) => line ?? word)
  assert.ok(names.includes('user create'))
  assert.deepEqual(
    names.filter((name) => !help.includes(`  posthorn ${name}`)),
    [],
  )
})
