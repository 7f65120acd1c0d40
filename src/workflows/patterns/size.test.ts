import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { sizeOf } from './size.ts'

/** Parts of patterns, and texts that an estimate without a parser could misread. */
const pieces = [
  ...[
    'a',
    '.',
    '😀',
    '\\d',
    '\\pL',
    '\\p{Greek}',
    '\\x{41}',
    '\\\\',
    '\\(',
    '\\{',
    '\\Q',
    '\\E',
    '\\Q(\\E',
    '\\b',
    '^',
    '|',
  ],
  ...[
    '[a-z]',
    '[]a]',
    '[^]a]',
    '[[:alpha:]]',
    '[\\]x]',
    '[a\\[b]',
    '[',
    ']',
    '[^',
    '(',
    '(?:',
    '(?i)',
    '(?P<n>',
    ')',
    '()',
  ],
  ...['*', '+', '?', '{3}', '{30}', '{2,9}', '{5,}', '{,3}', '{0}', '{999}', '{', '}', ':]'],
]

propertyTest('the size of a compiled pattern is not much larger than its estimate', () => {
  const patterns = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))
  forAll(3000, patterns, (pattern) => {
    let real: number
    try {
      real = RE2JS.compile(pattern).programSize()
    } catch {
      return
    }
    assert.ok(real <= 2 * sizeOf(pattern) + 4, `${pattern}: ${real} instructions, estimated ${sizeOf(pattern)}`)
  })
})

test('usual patterns are far below the limit', () => {
  for (const pattern of [
    '^[\\w.%+-]{1,64}@[A-Za-z0-9.-]{1,255}\\.[A-Za-z]{2,63}$',
    '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}',
  ]) {
    assert.ok(sizeOf(pattern) < 1000, pattern)
  }
  assert.ok(sizeOf('.{999}'.repeat(166)) > 165_000)
})
