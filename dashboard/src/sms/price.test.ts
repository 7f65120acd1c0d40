import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { rateOfZone, unitsPerCent, zoneOfCountry } from '../../../src/billing/rate-card.ts'
import { readNumber } from '../../../src/phone/phone-number.ts'
import { centsTo } from './price.ts'

/** The price that the server charges, in cents. */
function charged(number: string): number | null {
  const { country } = readNumber(number)
  const zone = country === null ? null : zoneOfCountry(country)
  return zone === null ? null : rateOfZone(zone) / unitsPerCent
}

test('the price shown for a mobile number of every country is the one that is charged', () => {
  for (const country of getCountries()) {
    const number = getExampleNumber(country, examples)?.number
    if (number) assert.equal(centsTo(number), charged(number), `${country} ${number}`)
  }
})

test('the price shown for numbers of each area of North America is the one that is charged', () => {
  for (let area = 200; area < 1000; area++) {
    const number = `+1${area}2345678`
    assert.equal(centsTo(number), charged(number), number)
  }
})

test('a number that is not finished has no price', () => {
  for (const number of ['', '+', '+61', '0491570156', '+6149157015612345678', 'ada'])
    assert.equal(centsTo(number), null)
})
