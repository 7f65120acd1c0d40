import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from '../../../../src/platform/csv/line.ts'
import { faultOf, guessGoals, readCells } from './columns.ts'
import { parseCsv } from './parse.ts'
import { takeBatch } from './take-batch.ts'

const cells = (text: string) => parseCsv(`h\n${text}`).records.map((record) => record.cells)

test('cells may be quoted and hold quotes, separators and line breaks; a line may end in any way', () => {
  const text = 'a,b\r\n"c ""d"", e","f\r\ng"\nh,\ri,"j"'
  const { header, records } = parseCsv(text)
  assert.deepEqual(header, ['a', 'b'])
  assert.deepEqual(
    records.map((record) => record.cells),
    [
      ['c "d", e', 'f\r\ng'],
      ['h', ''],
      ['i', 'j'],
    ],
  )
  assert.deepEqual(
    records.map(({ line }) => line),
    [2, 4, 5],
  )
  assert.deepEqual(cells('\r\n\n\na\n\n'), [['a']], 'empty lines are passed over')
  assert.deepEqual(cells('""\nBob "B"'), [[''], ['Bob "B"']])
  assert.equal(parseCsv('email;name\na,b;c').delimiter, ';')
})

test('text that is not CSV is refused with its line', () => {
  assert.throws(() => parseCsv(''), /empty/)
  assert.throws(() => parseCsv('a\nb\n"c\nd\n'), /^Error: Line 3: a quote is opened/)
  assert.throws(() => parseCsv('a\n"b"d\n'), /^Error: Line 2: there is text after/)
})

test('records that are written as a file read back the same, and spreadsheets see no formula in it', () => {
  const records = [['=1+1', "'=1", '+61', 'a"b', 'x\r\ny', ';', '']]
  const text = records.map((record) => csvLine(record, ',')).join('')
  assert.ok(text.startsWith("'=1+1,''=1,'+61"))
  assert.deepEqual(cells(text), records)
})

test('columns are guessed by their names, and those of an export are understood', () => {
  const header = 'id,email,firstName,Last name,phone_number,unsubscribed,properties,createdAt,updatedAt,City,E-Mail'
  const goals = guessGoals(header.split(','))
  assert.deepEqual(goals.join(), ',email,firstName,lastName,phoneNumber,unsubscribed,properties,,,property,')
  assert.equal(faultOf({ header: header.split(','), goals }), null)
  assert.match(faultOf({ header: ['a'], goals: ['property'] }) ?? '', /Choose the column/)
  assert.match(faultOf({ header: ['a', 'b'], goals: ['email', 'email'] }) ?? '', /Two columns/)
})

test('a record becomes a row of an import, or says why not', () => {
  const mapping = {
    header: ['mail', 'out', 'more', 'city'],
    goals: ['email' as const, 'unsubscribed' as const, 'properties' as const, 'property' as const],
  }
  assert.deepEqual(readCells(mapping, [' a@b.test ', 'Yes', '{"orders":3,"city":"Rome"}', 'Oslo']), {
    email: 'a@b.test',
    unsubscribed: true,
    properties: { orders: 3, city: 'Oslo' },
  })
  assert.deepEqual(readCells(mapping, ['a@b.test', '', '', '']), { email: 'a@b.test' })
  assert.equal(readCells(mapping, ['a@b.test', '', '[1]', '']), 'properties: must be a JSON object')
  assert.equal(readCells(mapping, ['a@b.test']), 'has 1 cells where the header has 4')
})

test('a request takes 2,000 rows, or fewer if they are large', () => {
  const mapping = { header: ['email', 'note'], goals: ['email' as const, 'property' as const] }
  const file = parseCsv(`email,note\n${'a@b.test,x\n'.repeat(2500)}short\n`)
  const first = takeBatch(file, 0, mapping)
  assert.deepEqual([first.contacts.length, first.next], [2000, 2000])
  const rest = takeBatch(file, first.next, mapping)
  assert.deepEqual([rest.contacts.length, rest.next, rest.refused[0]?.index], [500, 2501, 2500])
  const large = parseCsv(`email,note\n${`a@b.test,${'x'.repeat(1_000_000)}\n`.repeat(4)}`)
  assert.equal(takeBatch(large, 0, mapping).next, 3)
})
