import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { monthAt } from './month.ts'

function month(anchor: string, at: string): string[] {
  const { start, end } = monthAt(new Date(anchor), new Date(at))
  return [start.toISOString(), end.toISOString()]
}

test('a month begins on the day of the first, or on the last day of a shorter one', () => {
  const anchor = '2031-01-31T09:30:00.000Z'
  assert.deepEqual(month(anchor, anchor), [anchor, '2031-02-28T09:30:00.000Z'])
  assert.deepEqual(month(anchor, '2031-03-15T00:00:00Z'), ['2031-02-28T09:30:00.000Z', '2031-03-31T09:30:00.000Z'])
  assert.deepEqual(month(anchor, '2032-03-01T00:00:00Z'), ['2032-02-29T09:30:00.000Z', '2032-03-31T09:30:00.000Z'])
  assert.deepEqual(month(anchor, '2031-02-28T09:29:59.999Z'), [anchor, '2031-02-28T09:30:00.000Z'])
  assert.deepEqual(month('2031-12-15T00:00:00Z', '2032-01-15T00:00:00Z')[0], '2032-01-15T00:00:00.000Z')
})

propertyTest('each time is in one month, and months follow each other without a gap', () => {
  const moments = fc.date({ min: new Date('2030-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  forAll({ always: 100 }, moments, fc.nat(5 * 365 * 86_400), (anchor, seconds) => {
    const at = new Date(anchor.getTime() + seconds * 1000)
    const { start, end } = monthAt(anchor, at)
    assert.ok(start <= at && at < end)
    assert.deepEqual(monthAt(anchor, end).start, end)
    assert.deepEqual(monthAt(anchor, start), { start, end })
  })
})
