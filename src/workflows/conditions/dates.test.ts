import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holds } from './holds.ts'
import type { Operator } from './rule.ts'

test('two dates are compared as dates, whatever their form', () => {
  const at = (left: string, right: string) => {
    const decided = (operator: Operator) => holds({ left, operator, right })
    return (['less_than', 'equals', 'greater_than'] as const).filter(decided).join()
  }
  for (const [left, right, order] of [
    ['2026-01-31', '2026-02-01', 'less_than'],
    ['2026-10-01', '2026-09-30', 'greater_than'],
    ['2026-01-31', '2026-01-31', 'equals'],
    ['2026-01-31', '2026-01-31T00:00:00Z', 'equals'],
    ['2026-01-31', '2026-01-31T00:30:00+01:00', 'greater_than'],
    ['2026-01-31T10:30:00+01:00', '2026-01-31T09:30:00Z', 'equals'],
    ['2026-01-31T10:30+0100', '2026-01-31t09:30:00.000z', 'equals'],
    ['2026-01-31T09:30:00.000000001Z', '2026-01-31T09:30:00.000000002Z', 'less_than'],
    ['2026-01-31T09:30:00', '2026-01-31 09:30:01', 'less_than'],
    ['2026-01-31T09:30:00', '2026-01-31', 'greater_than'],
    ['1969-12-31T23:59:59.5Z', '1970-01-01', 'less_than'],
    // The zone of one is not known.
    ['2026-01-31T09:30:00', '2027-01-31T09:30:00Z', ''],
    ['2026-02-30', '2026-03-01', ''],
    ['2026-1-31', '2026-02-01', ''],
    ['2026-01-31', 'tomorrow', ''],
    ['2026-01-31', '5', ''],
  ] as const) {
    assert.equal(at(left, right), order, `${left} and ${right}`)
  }
  assert.equal(
    holds({ left: '2026-01-31T10:30:00+01:00', operator: 'not_equals', right: '2026-01-31T09:30:00Z' }),
    false,
  )
})
