import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeTexts } from './merge.ts'

const before = { name: 'News', subject: 'Hello', html: '<p>Hi</p>', text: 'Hi' }

test('what I typed stays, and what another changed beside it is taken', () => {
  const mine = { ...before, subject: 'Good morning' }
  const theirs = { ...before, name: 'June news' }
  assert.deepEqual(mergeTexts(before, mine, theirs), {
    values: { ...before, subject: 'Good morning', name: 'June news' },
    changed: ['name'],
    clashes: [],
  })
})

test('a field that both changed stays mine and is named', () => {
  const mine = { ...before, subject: 'Good morning' }
  const { values, changed, clashes } = mergeTexts(before, mine, { ...before, subject: 'Good evening', name: 'May' })
  assert.deepEqual(
    [values.subject, values.name, changed, clashes],
    ['Good morning', 'May', ['name', 'subject'], ['subject']],
  )
})

test('the same change by both is no clash', () => {
  const same = { ...before, subject: 'Same' }
  assert.deepEqual(mergeTexts(before, same, same).changed, [])
})
