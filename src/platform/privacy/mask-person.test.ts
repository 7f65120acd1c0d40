import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowTest } from '../../../test/slow.ts'
import { maskPerson } from './mask-person.ts'
import { personOf } from './person.ts'

const person = personOf(['ada+x@example.com'], ['+447700900001'])

const texts: [written: string, masked: string][] = [
  ['Write to Ada+X@Example.com.', 'Write to erased.'],
  ['<ada+x@example.com>, +447700900001', '<erased>, erased'],
  ['<a href="mailto:ada+x@example.com?subject=Hi">x</a>', '<a href="mailto:erased?subject=Hi">x</a>'],
  ['https://a.test/p?to=ada%2Bx%40example.com&n=%2B447700900001#x', 'https://a.test/p?to=erased&n=erased#x'],
  ['https://a.test/ada%252Bx%2540example.com/p', 'https://a.test/erased/p'],
  ['ada&#43;x&commat;example.com', 'erased'],
  ['Write to lada+x@example.com or +4477009000012.', 'Write to lada+x@example.com or +4477009000012.'],
]

test('an address is taken out of a text, encoded or not, and the text around it stays', () => {
  for (const [written, masked] of texts) assert.equal(maskPerson(written, 'text', person), masked)
})

test('a text in which the address cannot be told from what is around it goes as a whole', () => {
  assert.equal(maskPerson('x%20ada%2Bx%40example.com%20y', 'text', person), 'erased')
})

slowTest('a long text that names the person very often is masked', () => {
  const often = 'mailto:https://a.test/?x=ada+x@example.com&'.repeat(20_000)
  const masked = maskPerson(often, 'text', person) as string
  assert.ok(!masked.includes('ada+x@') && masked.length > 100_000)
})

test('JSON keeps its shape, and names of members are masked too', () => {
  const value = { a: ['ada+x@example.com', 1, null], 'ada+x@example.com': { b: 'to ada+x@example.com' } }
  assert.deepEqual(
    maskPerson(JSON.parse('{"__proto__": "ada+x@example.com"}'), 'json', person),
    JSON.parse('{"__proto__": "erased"}'),
  )
  assert.deepEqual(maskPerson(value, 'json', person), { a: ['erased', 1, null], erased: { b: 'to erased' } })
})
