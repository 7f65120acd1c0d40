import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

test('the list contains at least the 3,000 most common passwords, in the form of comparison, each once', () => {
  const lines = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  assert.ok(lines.length >= 3000)
  assert.equal(new Set(lines).size, lines.length)
  for (const line of lines) {
    assert.ok([...line].length >= 8, `${line} is refused for its length already`)
    assert.equal(line, line.normalize('NFKC').toLowerCase())
  }
})
