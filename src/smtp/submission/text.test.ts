import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { dotStuff, terminatorOf } from '../../emails/smtp-client/dot-stuff.ts'
import { createTextReader, hasBareCr, type Text } from './text.ts'

function read(wire: Buffer, cuts: number[], sizeMax = 1_000_000): Text | null {
  const reader = createTextReader(sizeMax)
  const ends = [...new Set([...cuts.map((cut) => cut % (wire.length + 1)), wire.length])].sort((a, b) => a - b)
  let from = 0
  for (const end of ends) {
    const text = reader.push(wire.subarray(from, end))
    // Adds the input after the end, as the connection keeps it for the next command.
    if (text) return 'rest' in text ? { ...text, rest: Buffer.concat([text.rest, wire.subarray(end)]) } : text
    from = end
  }
  return null
}

const line = fc.array(fc.constantFrom('.', 'a', ' ', 'é', '-'), { maxLength: 5 }).map((letters) => letters.join(''))
const body = fc.array(line, { maxLength: 8 }).map((lines) => Buffer.from(lines.map((text) => `${text}\r\n`).join('')))

propertyTest('a text is the same before dot-stuffing and after reading, however its octets are split', () => {
  forAll(500, body, fc.array(fc.nat(), { maxLength: 6 }), (raw, cuts) => {
    const wire = Buffer.concat([dotStuff(raw), Buffer.from(terminatorOf(raw)), Buffer.from('RSET\r\n')])
    const text = read(wire, cuts)
    assert(text?.kind === 'whole')
    assert.deepEqual(text.octets, raw)
    assert.equal(text.rest.toString(), 'RSET\r\n')
  })
})

test('a single dot with other line ends is refused, however its octets are split', () => {
  const [ends, foreign] = [['\r\n', '\n', '\r'], 'MAIL FROM:<a@b.co>\r\n']
  const pairs = ends.flatMap((before) => ends.map((behind) => [before, behind] as const))
  for (const [before, behind] of pairs.filter(([before, behind]) => `${before}${behind}` !== '\r\n\r\n')) {
    const wire = Buffer.from(`text${before}.${behind}${foreign}`)
    for (let cut = 0; cut <= wire.length; cut++)
      assert.equal(read(wire, [cut])?.kind, 'ambiguous', JSON.stringify([before, behind, cut]))
  }
})

test('a text larger than the limit is read to its end with little memory', () => {
  const reader = createTextReader(1000)
  const line = Buffer.from(`${'x'.repeat(98)}\r\n`)
  for (let count = 0; count < 5000; count++) assert.equal(reader.push(line), null)
  assert(reader.held() < 20_000)
  const text = reader.push(Buffer.from('.\r\nQUIT\r\n'))
  assert(text?.kind === 'tooLarge')
  assert.equal(text.rest.toString(), 'QUIT\r\n')
})

test('a text of exactly the limit is accepted, and one octet more is too large', () => {
  const wire = (size: number) => Buffer.from(`${'x'.repeat(size - 2)}\r\n.\r\n`)
  assert.equal(read(wire(1000), [], 1000)?.kind, 'whole')
  assert.equal(read(wire(1001), [], 1000)?.kind, 'tooLarge')
  assert.equal(read(wire(1001), [999, 1000, 1001, 1002, 1003], 1000)?.kind, 'tooLarge')
})

test('a bare carriage return is found', () => {
  assert.equal(hasBareCr(Buffer.from('a\r\nb\r\n')), false)
  for (const text of ['a\rb\r\n', 'a\r\r\n', 'a\r']) assert.equal(hasBareCr(Buffer.from(text)), true)
})
