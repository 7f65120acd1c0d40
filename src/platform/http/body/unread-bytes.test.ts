import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pluck } from '../../../../test/pluck.ts'
import { boundUnread } from './unread-bytes.ts'

/** A reader that has read nothing of what was written to it. */
function slowReader() {
  const reader = {
    bytes: 0,
    isCutOff: false,
    unreadBytes: () => reader.bytes,
    cutOff() {
      reader.isCutOff = true
    },
  }
  return reader
}

test('readers that are furthest behind are cut off once all together are behind by more than the bound', () => {
  const unread = boundUnread(100)
  const readers = [40, 50, 10].map((bytes) => Object.assign(slowReader(), { bytes }))
  for (const reader of readers) unread.note(reader)
  assert.deepEqual(pluck(readers, 'isCutOff'), [false, false, false])
  const late = Object.assign(slowReader(), { bytes: 5 })
  unread.note(late)
  assert.deepEqual(pluck([...readers, late], 'isCutOff'), [false, true, false, false])
})

test('what was read since the last write, and readers that left, count no more', () => {
  const unread = boundUnread(100)
  const [quick, gone, slow] = [60, 40, 90].map((bytes) => Object.assign(slowReader(), { bytes }))
  unread.note(quick!)
  unread.note(gone!)
  unread.leave(gone!)
  quick!.bytes = 0
  unread.note(slow!)
  assert.deepEqual(
    [quick, gone, slow].map((reader) => reader!.isCutOff),
    [false, false, false],
  )
})
