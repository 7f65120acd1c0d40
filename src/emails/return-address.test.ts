import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyring } from '../platform/keys/keyring.ts'
import { readReturnAddress, returnAddress, unsignedReturnAddress, withoutReturnAddresses } from './return-address.ts'

const keyring = createKeyring('a secret of tests, thirty-two bytes and more')
const emailId = '01890a5d-ac96-774b-bcce-b302099a8057'
const returnPath = 'send.shop.test'
const at = new Date('2026-01-31T12:30:00Z')
const address = returnAddress(keyring, { emailId, recipient: 49, returnPath }, at)

function read(text: string, now = at) {
  return readReturnAddress(keyring, text, now)
}

test('a return address is a valid envelope sender and names a recipient and an email', () => {
  assert.match(address, /^bounce\+01890a5dac96774bbcceb302099a8057\.[a-z2-7]{22}@send\.shop\.test$/)
  assert(address.indexOf('@') <= 64)
  assert.deepEqual(read(address), { emailId, recipient: 49, returnPath })
})

test('a return address is valid in any case of letters', () => {
  assert.deepEqual(read(address.toUpperCase()), read(address))
})

test('a return address is valid for 14 days', () => {
  const after = (days: number) => new Date(at.getTime() + days * 24 * 3_600_000)
  assert(read(address, after(13.9)))
  assert.equal(read(address, after(14.01)), null)
})

test('an address that is unsigned, or signed for another recipient, email, day, domain or installation, is refused', () => {
  const others = [
    returnAddress(keyring, { emailId, recipient: 48, returnPath }, at),
    returnAddress(keyring, { emailId, recipient: 49, returnPath }, new Date('2026-02-01T12:30:00Z')),
    returnAddress(keyring, { emailId: emailId.replace(/7$/, '8'), recipient: 49, returnPath }, at),
  ]
  const [signed, signature] = [address.slice(0, 46), address.slice(46, 62)]
  const forged = [
    ...others.map((other) => `${signed}${other.slice(46, 62)}@send.shop.test`),
    ...others.map((other) => `${other.slice(0, 46)}${signature}@send.shop.test`),
    unsignedReturnAddress(emailId, returnPath),
    'bounce+01890a5d-ac96-774b-bcce-b302099a8057@send.shop.test',
    `${signed}@send.shop.test`,
    `${signed}${signature.slice(0, 15)}@send.shop.test`,
    // The shorter form, which names only the email.
    `${address.slice(0, 40)}${signature}@send.shop.test`,
    address.replace('send.shop.test', 'send.other.test'),
    address.replace('bounce+', ''),
    `${address}\r\nRCPT TO:<ada@example.com>`,
    ` ${address}`,
    '',
  ]
  for (const text of forged) assert.equal(read(text), null, text)
  assert.equal(readReturnAddress(createKeyring('another secret, thirty-two bytes long'), address, at), null)
})

test('a return address of an earlier release names only its email and is valid for 14 days from the email', () => {
  const before = 'bounce+01890a5dac96774bbcceb302099a8057.phymcyzyjglksjqp@send.shop.test'
  const sentAt = new Date('2023-06-30T04:00:00Z')
  assert.deepEqual(read(before, sentAt), { emailId, recipient: null, returnPath })
  assert.equal(read(before, at), null)
})

test('return addresses are removed from a text', () => {
  const told = 'smtp; 550 bounce+01890a5dac96774bbcceb302099a8057@send.shop.test is on no list'
  assert.equal(withoutReturnAddresses(`smtp; 550 ${address} is on no list`), told)
  assert.equal(withoutReturnAddresses(told.toUpperCase()), told.toUpperCase())
})
