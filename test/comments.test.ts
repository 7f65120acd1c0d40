import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { columnsMax, commentedFiles, wrapComments } from '../scripts/wrap-comments.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('a line of a comment has at most 120 columns', () => {
  const paths = commentedFiles(root)
  assert.ok(paths.length > 2000, String(paths.length))
  const long = paths.filter((path) => {
    const source = readFileSync(join(root, path), 'utf8')
    return wrapComments(source) !== source
  })
  assert.deepEqual(long, [], 'Run: npm run format')
})

test('a comment that is too long is wrapped, with its paragraphs and items as they are', () => {
  const words = (count: number) => Array(count).fill('word').join(' ')
  assert.equal(wrapComments(`  /** ${words(30)} */`), `  /**\n   * ${words(23)}\n   * ${words(7)}\n   */`)
  const begun = `/** ${words(30)}\n * ${words(2)}\n */`
  assert.equal(wrapComments(begun), `/**\n * ${words(23)}\n * ${words(9)}\n */`)
  const list = `/**\n * ${words(30)}\n * ${words(2)}\n *\n * - ${words(2)}\n */`
  assert.equal(wrapComments(list), `/**\n * ${words(23)}\n * ${words(9)}\n *\n * - ${words(2)}\n */`)
  assert.equal(wrapComments(`  # ${words(30)}`), `  # ${words(23)}\n  # ${words(7)}`)
  const directive = `// biome-ignore lint/x: ${words(30)}`
  assert.equal(wrapComments(directive), directive)
  const row = `/**\n * | ${words(30)} |\n */`
  assert.equal(wrapComments(row), row)
  assert.ok(
    wrapComments(`// ${words(60)}`)
      .split('\n')
      .every((line) => line.length <= columnsMax),
  )
})
