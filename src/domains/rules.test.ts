import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Findings, judgeFindings, type Standing, verificationMs } from './rules.ts'

const first = new Date('2030-01-01T00:00:00Z')
const soon = new Date(first.getTime() + 1000)
const late = new Date(first.getTime() + verificationMs)

const fresh: Standing = {
  ...{ status: 'not_started', recordStatuses: {}, firstCheckedAt: first },
  ...{ isReturnPathSettled: true, missingSince: null, isRoutine: false },
}
const verified: Standing = {
  ...fresh,
  status: 'verified',
  recordStatuses: { dkim: 'verified', spf: 'verified', mx: 'verified' },
}
const found: Findings = { dkim: 'found', spf: 'found', mx: 'found' }

test('a domain is verified once every record is found', () => {
  const { status, recordStatuses } = judgeFindings({ ...fresh, status: 'failed' }, found, late)
  assert.equal(status, 'verified')
  assert.deepEqual(recordStatuses, { dkim: 'verified', spf: 'verified', mx: 'verified' })
  assert.equal(judgeFindings(fresh, { ...found, tracking: 'missing' }, soon).status, 'pending')
})

test('a missing record is pending for 72 hours and then failed', () => {
  const findings: Findings = { ...found, spf: 'missing' }
  const almost = new Date(late.getTime() - 1)
  assert.deepEqual(judgeFindings(fresh, findings, almost), {
    ...{ status: 'pending', missingSince: almost },
    recordStatuses: { dkim: 'verified', spf: 'pending', mx: 'verified' },
  })
  assert.deepEqual(judgeFindings(fresh, findings, late), {
    ...{ status: 'failed', missingSince: late },
    recordStatuses: { dkim: 'verified', spf: 'failed', mx: 'verified' },
  })
})

test('no answer is a temporary failure and changes no record', () => {
  const before: Standing = { ...fresh, status: 'pending', recordStatuses: { dkim: 'verified', spf: 'pending' } }
  const { status, recordStatuses } = judgeFindings(
    before,
    { dkim: 'unanswered', spf: 'unanswered', mx: 'missing' },
    soon,
  )
  assert.equal(status, 'temporary_failure')
  assert.deepEqual(recordStatuses, { dkim: 'verified', spf: 'pending', mx: 'pending' })
})

test('a verified domain stays verified with a silent DNS, a pending tracking record and a new return path', () => {
  assert.equal(
    judgeFindings(verified, { dkim: 'unanswered', spf: 'unanswered', mx: 'unanswered' }, late).status,
    'verified',
  )
  assert.equal(judgeFindings(verified, { ...found, tracking: 'missing' }, soon).status, 'verified')
  const moving = { ...verified, isReturnPathSettled: false }
  assert.equal(judgeFindings(moving, { dkim: 'found', spf: 'missing', mx: 'missing' }, soon).status, 'verified')
})

test('a verified domain without its required records is not verified any more', () => {
  assert.equal(judgeFindings(verified, { ...found, dkim: 'missing' }, late).status, 'failed')
  assert.equal(judgeFindings(verified, { ...found, mx: 'missing' }, soon).status, 'pending')
  assert.equal(
    judgeFindings({ ...verified, isReturnPathSettled: false }, { ...found, dkim: 'missing' }, soon).status,
    'pending',
  )
})

test('a routine check fails a verified domain after its records have been gone for 72 hours', () => {
  const gone = { ...found, dkim: 'missing' } as const
  const routine = { ...verified, isRoutine: true }
  assert.deepEqual(judgeFindings(routine, gone, late), {
    ...{ status: 'verified', missingSince: late },
    recordStatuses: { dkim: 'pending', spf: 'verified', mx: 'verified' },
  })
  const missing = { ...routine, missingSince: first }
  assert.equal(judgeFindings(missing, gone, new Date(late.getTime() - 1)).status, 'verified')
  assert.deepEqual(judgeFindings(missing, gone, late), {
    ...{ status: 'failed', missingSince: first },
    recordStatuses: { dkim: 'failed', spf: 'verified', mx: 'verified' },
  })
  const silent = judgeFindings(missing, { ...found, dkim: 'unanswered' }, late)
  assert.deepEqual([silent.status, silent.missingSince], ['verified', first])
  assert.equal(judgeFindings(missing, found, late).missingSince, null)
})
