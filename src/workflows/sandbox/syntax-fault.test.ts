import assert from 'node:assert/strict'
import { test } from 'node:test'
import { syntaxFault } from './syntax-fault.ts'

test('a valid body of an async function has no fault', () => {
  const sources = [
    '',
    'return 1',
    'return await input.trigger // so',
    'for await (const x of []) {}',
    'function f() {}; f()',
  ]
  for (const source of sources) assert.equal(syntaxFault(source), null, source)
})

test('a fault names its line', () => {
  assert.equal(syntaxFault('const a = 1\nreturn a b'), "is not valid JavaScript: Unexpected identifier 'b' (line 2)")
})

test('a source that ends the function around it is a fault', () => {
  const sources = [
    '}); throw new Error("x".repeat(8e6)); (async function () {',
    '}, async function () {',
    '}(0), async function () {',
    '}).x; (() => {',
    '} + function () {',
  ]
  for (const source of sources)
    assert.equal(syntaxFault(source), 'is not valid JavaScript: It ends the function whose body it is.', source)
})
