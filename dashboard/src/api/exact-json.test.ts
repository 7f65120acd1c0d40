import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson, readNumber } from './exact-json.ts'

test('JSON that is read and written again has the digits of its numbers', () => {
  const text =
    '{"id":8202522731445525542,"list":[1e400,0.12345678901234567891,5,0.5],"text":"1e400 1234567890123456789"}'
  assert.equal(JSON.stringify(parseJson(text)), text)
  assert.equal(`${(parseJson(text) as { id: unknown }).id}`, '8202522731445525542')
})

test('a number that is typed keeps its digits', () => {
  assert.equal(readNumber('5'), 5)
  assert.equal(readNumber('.5'), 0.5)
  assert.equal(JSON.stringify([readNumber('8202522731445525543')]), '[8202522731445525543]')
})
