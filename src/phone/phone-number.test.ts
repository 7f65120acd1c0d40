import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../test/for-all.ts'
import { propertyTest } from '../../test/slow.ts'
import { zoneOfCountry } from '../billing/rate-card.ts'
import { isPhoneNumber } from '../platform/text/phone-number.ts'
import { isTollFree, readNumber } from './phone-number.ts'

const countries: [number: string, country: string | null][] = [
  ['+12025550123', 'US'],
  ['+14165550123', 'CA'],
  ['+15555550100', 'US'],
  ['+18765551234', 'JM'],
  ['+12425550123', 'BS'],
  ['+447700900123', 'GB'],
  ['+447797712345', 'GB'],
  ['+447911123456', 'GB'],
  ['+447624312345', 'GB'],
  ['+61491570156', 'AU'],
  ['+393312345678', 'IT'],
  ['+6591234567', 'SG'],
  ['+525512345678', 'MX'],
  ['+999123456', null],
  ['+80012345678', null],
]
for (const [number, country] of countries) {
  test(`${number} is in ${country ?? 'no country'}`, () => assert.equal(readNumber(number).country, country))
}

test('E.164 is a plus and 7 to 15 digits that do not begin with zero', () => {
  for (const number of ['+1234567', '+123456789012345']) assert.ok(isPhoneNumber(number), number)
  const wrong = [
    '1234567',
    '+123456',
    '+1234567890123456',
    '+0234567',
    '+61 491 570 156',
    '+61491570156\n',
    '+６１４９１５７０１５６',
    '',
  ]
  for (const number of wrong) assert.ok(!isPhoneNumber(number), JSON.stringify(number))
})

test('a number with a national prefix is the same number without it', () => {
  assert.equal(readNumber('+610491570156').normalized, '+61491570156')
  assert.equal(readNumber('+393312345678').normalized, '+393312345678')
})

test('toll-free numbers follow the numbering plan', () => {
  assert.deepEqual(['+18005550199', '+611800160401', '+12025550123', '18005550199'].map(isTollFree), [
    true,
    true,
    false,
    false,
  ])
})

propertyTest('normalizing a number twice gives the same form', () => {
  forAll({ always: 100 }, fc.stringMatching(/^\+[1-9]\d{6,14}$/), (number) => {
    const { country, normalized } = readNumber(number)
    assert.ok(country === null || /^[A-Z]{2}$/.test(country))
    assert.ok(country === null || [1, 2, 3, null].includes(zoneOfCountry(country)))
    assert.equal(readNumber(normalized).normalized, normalized)
  })
})
