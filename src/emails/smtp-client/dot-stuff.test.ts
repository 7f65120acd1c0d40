import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { dotStuff, terminatorOf } from './dot-stuff.ts'

/** The rule as a regular expression: doubles each dot at the beginning of a line. */
function plainly(raw: Buffer): Buffer {
  return Buffer.from(raw.toString('latin1').replace(/(^|\r\n)\./g, '$1..'), 'latin1')
}

propertyTest('only the dots at the beginning of a line are doubled', () => {
  const pieces = fc.array(fc.constantFrom('.', '\r\n', 'a', '..', '\r', '\n', '\r\n.\r\n'), { maxLength: 40 })
  forAll({ always: 100 }, pieces, (parts) => {
    const raw = Buffer.from(parts.join(''))
    assert.deepEqual(dotStuff(raw), plainly(raw))
  })
})

test('dots are doubled in a message with thousands of them', () => {
  const raw = Buffer.from('.\r\n.x\r\n\r\n..'.repeat(2000))
  assert(dotStuff(raw).equals(plainly(raw)))
})

test('a message without such dots is not copied', () => {
  const raw = Buffer.from('a. b\r\nc.\r\n')
  assert.equal(dotStuff(raw), raw)
})

test('the terminator adds the line end that the message lacks', () => {
  assert.deepEqual(
    ['', 'a\r\n', 'a', 'a\n'].map((raw) => terminatorOf(Buffer.from(raw))),
    ['.\r\n', '.\r\n', '\r\n.\r\n', '\r\n.\r\n'],
  )
})
