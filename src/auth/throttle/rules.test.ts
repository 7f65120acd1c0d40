import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { subjectsOfLogin, waitSeconds, windowMs } from './rules.ts'

const now = new Date('2030-06-15T12:00:00Z')
const subjectsOf = (isKnownNetwork: boolean) => subjectsOfLogin('ada@example.com', '198.51.100.1', { isKnownNetwork })
const subjects = subjectsOf(false)
const [account, pair, address] = subjects.map(({ name }) => name) as [string, string, string]
const ages = fc.array(fc.integer({ min: 0, max: 2 * windowMs }), { maxLength: 40 })

function failuresOf(subject: string, agesMs: number[]) {
  return agesMs.map((ageMs) => ({ subject, failedAt: new Date(now.getTime() - ageMs) }))
}

propertyTest(
  'a try is free exactly when fewer than 5 failures of the account and 20 of the address are within 15 minutes',
  () => {
    forAll({ always: 100 }, ages, ages, (ofAccount, ofAddress) => {
      const failures = [
        ...failuresOf(account, ofAccount),
        ...failuresOf(address, ofAddress),
        ...failuresOf('account:another', ofAccount),
      ]
      const count = (agesMs: number[]) => agesMs.filter((ageMs) => ageMs < windowMs).length
      const free = count(ofAccount) < 5 && count(ofAddress) < 20
      assert.equal(waitSeconds(subjects, failures, now) === null, free)
    })
  },
)

propertyTest('a try is free again after exactly the announced wait, and not a second sooner', () => {
  forAll({ always: 100 }, ages, ages, (ofAccount, ofAddress) => {
    const failures = [...failuresOf(account, ofAccount), ...failuresOf(address, ofAddress)]
    const seconds = waitSeconds(subjects, failures, now)
    if (seconds === null) return
    assert.equal(waitSeconds(subjects, failures, new Date(now.getTime() + seconds * 1000)), null)
    assert.notEqual(waitSeconds(subjects, failures, new Date(now.getTime() + (seconds - 1) * 1000)), null)
  })
})

propertyTest('on a known network only the failures of that network count, not the account’s other failures', () => {
  forAll({ always: 100 }, ages, ages, ages, (ofAccount, ofPair, ofAddress) => {
    const failures = [...failuresOf(account, ofAccount), ...failuresOf(pair, ofPair), ...failuresOf(address, ofAddress)]
    const count = (agesMs: number[]) => agesMs.filter((ageMs) => ageMs < windowMs).length
    const free = count(ofPair) < 5 && count(ofAddress) < 20
    assert.equal(waitSeconds(subjectsOf(true), failures, now) === null, free)
  })
})

test('the tried address is not kept in the clear', () => {
  assert.ok(!account.includes('ada'))
})
