import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initial, isBlank, mailbox, waitWords } from './words.ts'

test('a wait is told in seconds below two minutes, and in hours and minutes from then on', () => {
  const said = [1, 119, 120, 121, 3600, 3660, 41_837, 86_400].map(waitWords)
  assert.deepEqual(said, [
    ...['1 second', '119 seconds', '2 minutes', '3 minutes'],
    ...['1 hour', '1 hour and 1 minute', '11 hours and 38 minutes', '24 hours'],
  ])
})

test('a name of which nothing can be seen is no name', () => {
  assert.equal(mailbox('"\u200b\u2060" <ada@example.com>').name, 'ada@example.com')
  assert.equal(mailbox('"👩‍👧" <ada@example.com>').name, '👩‍👧')
  assert.equal(isBlank(' \u200b\u2800\u3164\ufeff'), true)
  assert.equal(isBlank('\u200bش'), false)
})

test('the letter of an account is a whole character', () => {
  assert.deepEqual(['ada', '😀 Bob', ''].map(initial), ['A', '😀', ''])
})
