import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailBody, emptyEmail, readPairs } from './body.ts'

test('addresses are split at commas outside quotes, and empty fields are left out', () => {
  const to = '"Lovelace, Ada" <ada@example.com>, grace@example.com\n'
  assert.deepEqual(
    emailBody({ ...emptyEmail, from: 'a@b.test', to, text: 'Hi' }, { name: '', city: 'Rome' }, [], undefined),
    {
      from: 'a@b.test',
      to: ['"Lovelace, Ada" <ada@example.com>', 'grace@example.com'],
      subject: '',
      text: 'Hi',
      templateVariables: { city: 'Rome' },
    },
  )
})

test('tags and headers are lines of name and value', () => {
  assert.deepEqual(readPairs('order: 1024\n\nX-Link: https://a.test'), { order: '1024', 'X-Link': 'https://a.test' })
})
