import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../../test/for-all.ts'
import { assertLinear } from '../../../test/growth.ts'
import { propertyTest, slowTest } from '../../../test/slow.ts'
import { holds } from './holds.ts'
import { includes, replaceEach } from './includes.ts'

propertyTest('contains finds the same as String.includes', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\ud83d'), maxLength: 300 })
  forAll(500, text, text, text, fc.nat(30), (before, part, after, times) => {
    for (const whole of [before + part.repeat(times) + after, before + after])
      assert.equal(includes(whole, part.repeat(times)), whole.includes(part.repeat(times)))
  })
})

propertyTest('texts are replaced as String.replaceAll does it', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\ud83d'), maxLength: 300 })
  forAll(500, text, text, fc.nat(30), (before, part, times) => {
    const long = part.repeat(times)
    const whole = before + long + long + before + long.slice(1) + before
    if (long !== '')
      assert.equal(
        replaceEach(whole, long, '$&'),
        whole.replaceAll(long, () => '$&'),
      )
  })
})

slowTest('contains takes linear time', () => {
  const findLate = (length: number) => {
    const half = 'a'.repeat(length / 2)
    assert.equal(includes(`${half}${half}`, `${half}b${half.slice(1)}`), false)
  }
  assertLinear('contains', findLate, 500_000)
})

slowTest('texts are replaced in linear time', () => {
  const findLate = (length: number) => {
    const half = 'a'.repeat(length / 2)
    assert.equal(replaceEach(`${half}${half}`, `${half}b`, 'x').length, 2 * half.length)
  }
  assertLinear('replaceEach', findLate, 500_000)
})

slowTest('a long list is compared once with a long value', () => {
  const compare = (length: number) => {
    const list = Array.from({ length }, (_, index) => index)
    assert.equal(holds({ left: list, operator: 'contains', right: list }), false)
  }
  assertLinear('a long list', compare, 100_000)
})

test('a number is looked for in a long list without writing its members out', (t) => {
  const list = Array.from({ length: 130_000 }, (_, index) => index)
  for (const [right, expected] of [
    ['2e5', false],
    ['1e5', true],
    ['100000.0', true],
    [99_999, true],
    ['99999.5', false],
    ['x', false],
  ] as const) {
    const { mock } = t.mock.method(String.prototype, 'split')
    const found = holds({ left: list, operator: 'contains', right })
    mock.restore()
    assert.equal(found, expected, String(right))
    assert(mock.callCount() < 20, `${mock.callCount()} numbers were read`)
  }
})
