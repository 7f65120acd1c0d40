import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

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

test('no document says of a feature that it is not built yet', () => {
  const found = documents.filter((path) =>
    /not (?:yet built|built yet|yet implemented|implemented yet)/i.test(read(path)),
  )
  assert.deepEqual(found, [])
})
