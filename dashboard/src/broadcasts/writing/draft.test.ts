import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, changesOf, emptyDraft, nameOfCopy } from './draft.ts'

const before = { ...emptyDraft, name: 'News', subject: 'Hello', html: '<p>Hi</p>', text: 'Hi' }

test('a change names the fields that differ, and empties them with null', () => {
  assert.deepEqual(changesOf({ ...before, text: '', name: '' }, before), { name: '', text: null })
  assert.deepEqual(bodyOf({ ...emptyDraft, name: 'News' }), { name: 'News' })
})

test('the name of a copy says so, and is cut between characters', () => {
  assert.equal(nameOfCopy('News'), 'News (copy)')
  assert.equal(nameOfCopy('📯'.repeat(200)), `${'📯'.repeat(193)} (copy)`)
})
