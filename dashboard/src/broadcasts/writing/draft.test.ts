import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, changesOf, emptyDraft } from './draft.ts'

const before = { ...emptyDraft, name: 'News', subject: 'Hello', html: '<p>Hi</p>', text: 'Hi' }

test('a change names the fields that differ, and empties them with null', () => {
  assert.deepEqual(changesOf({ ...before, text: '', name: '' }, before), { name: '', text: null })
  assert.deepEqual(bodyOf({ ...emptyDraft, name: 'News' }), { name: 'News' })
})
