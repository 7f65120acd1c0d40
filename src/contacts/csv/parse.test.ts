import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pluck } from '../../../test/pluck.ts'
import { propertyTest, randomCases } from '../../../test/slow.ts'
import { csvLine } from '../../platform/csv/line.ts'
import { csvParser, delimiterOf } from './parse.ts'

const parse = (pieces: string[], delimiter = ',') => {
  const parser = csvParser(delimiter)
  return [...pieces.flatMap((piece) => [...parser.push(piece)]), ...parser.end()]
}
const cells = (text: string) => parse([text]).map((record) => record.cells)

test('cells may be quoted and hold quotes, separators and line breaks; a line may end in any way', () => {
  assert.deepEqual(cells('a,b\r\n"c ""d"", e","f\r\ng"\nh,\ri,"j"'), [
    ['a', 'b'],
    ['c "d", e', 'f\r\ng'],
    ['h', ''],
    ['i', 'j'],
  ])
  assert.deepEqual(cells('\r\n\n\na\n\n'), [['a']], 'empty lines are passed over')
  assert.deepEqual(cells('""\n,\n'), [[''], ['', '']])
  assert.deepEqual(cells('Bob "B" Smith,5"'), [['Bob "B" Smith', '5"']])
  assert.deepEqual(cells(''), [])
})

propertyTest('every written file reads back the same, in pieces of any size', () => {
  const cell = fc.oneof(
    fc.string(),
    fc.constantFrom('=1+1', "'=1", "''@a", "'", '+61', '-', '\t=', '"', '\r\n', ',', ';', '\n\r', '""', 'a"b', ' '),
  )
  // A single empty cell would be written as an empty line.
  const row = fc
    .array(cell, { minLength: 1, maxLength: 5 })
    .filter((cells) => cells.join('') !== '' || cells.length > 1)
  const property = fc.property(
    fc.array(row),
    fc.constantFrom(',', ';', '\t'),
    fc.integer({ min: 1, max: 7 }),
    (rows, delimiter, size) => {
      const text = rows.map((cells) => csvLine(cells, delimiter)).join('')
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      assert.deepEqual(pluck(parse(pieces, delimiter), 'cells'), rows)
    },
  )
  fc.assert(property, { numRuns: randomCases(300) })
})

test('a record names the line on which it begins', () => {
  const lines = parse(['a\n\n"b\nc\r\nd",e\r\nf\rg']).map(({ line }) => line)
  assert.deepEqual(lines, [1, 3, 6, 7])
})

test('text that is not CSV is refused with its line, and the records before it are read', () => {
  const until = (text: string) => {
    const read: string[][] = []
    try {
      const parser = csvParser(',')
      for (const record of parser.push(text)) read.push(record.cells)
      for (const record of parser.end()) read.push(record.cells)
    } catch (error) {
      return { read, message: (error as Error).message }
    }
    return { read, message: '' }
  }
  const open = until('a\nb\n"c\nd\n')
  assert.deepEqual([open.read, open.message.slice(0, 7)], [[['a'], ['b']], 'line 3:'])
  const after = until('a\n"b\nc"d\n')
  assert.deepEqual([after.read, after.message.slice(0, 7)], [[['a']], 'line 3:'])
  assert.match(until(`a\n"${'x'.repeat(1_100_000)}`).message, /^line 2: .*too long/)
})

test('the delimiter is the one that the header has most of outside quotes', () => {
  assert.equal(delimiterOf('email;name\na,b,c,d'), ';')
  assert.equal(delimiterOf('email\tname'), '\t')
  assert.equal(delimiterOf('"a;b;c",d'), ',')
  assert.equal(delimiterOf('email'), ',')
})
