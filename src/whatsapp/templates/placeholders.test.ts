import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/any-text.ts'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { countVariables, fillPlaceholders, isFilledLonger } from './placeholders.ts'

test('placeholders are numbered without gaps, in any order, and may repeat', () => {
  const bodies: [string, number][] = [
    ['Hello', 0],
    ['{{1}}', 1],
    ['{{2}} {{1}} {{2}}', 2],
    ['{{1}}{{2}}{{3}}', 3],
    ['a { b } {1} }} {{1}}}', 1],
    ['{{unclosed', 0],
    [Array.from({ length: 12 }, (_, n) => `{{${12 - n}}}`).join(' '), 12],
  ]
  for (const [body, count] of bodies) assert.equal(countVariables(body), count, body)
})

test('anything else in double braces is refused', () => {
  const bodies = [
    ...['{{2}}', '{{1}} {{3}}', '{{0}}', '{{01}}', '{{-1}}', '{{1.0}}', '{{name}}', '{{}}', '{{ 1 }}', '{{1 }}'],
    ...['{{{1}}}', '{{{{1}}}}', '{{a\n}}', '{{1}} {{#if}}', '{{١}}', '{{100000}}', '{{1e0}}'],
  ]
  for (const body of bodies) assert.throws(() => countVariables(body), /^DomainError|body:/, body)
})

propertyTest('the value of a variable is not expanded again', () => {
  assert.equal(fillPlaceholders('{{1}}{{2}}', ['{{2}}', '$&{{1}}']), '{{2}}$&{{1}}')
  const piece = fc.string({ unit: anyCharacter }).filter((text) => !/[{}]/.test(text))
  forAll({ always: 100 }, fc.array(fc.tuple(piece, fc.string())), piece, (parts, rest) => {
    const body = parts.map(([text], index) => `${text}{{${index + 1}}}`).join('') + rest
    assert.equal(countVariables(body), parts.length)
    const filled = parts.map(([text, value]) => text + value).join('') + rest
    const values = parts.map(([, value]) => value)
    assert.equal(fillPlaceholders(body, values), filled)
  })
})

test('a body that would be longer than a text can be is known to be too long without filling it', () => {
  const body = '{{1}}'.repeat(819)
  const variables = ['x'.repeat(1024 * 1024)]
  assert.throws(() => fillPlaceholders(body, variables), RangeError)
  assert.equal(isFilledLonger(body, variables, 4096), true)
  assert.equal(isFilledLonger('{{1}}', ['😀'.repeat(4096)], 4096), false)
  assert.equal(isFilledLonger('{{1}}', ['😀'.repeat(4097)], 4096), true)
})
