import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyring } from '../platform/keyring.ts'
import { readReturnAddress, returnAddress } from './return-address.ts'

const keyring = createKeyring('a secret of tests, thirty-two bytes and more')
const emailId = '01890a5d-ac96-774b-bcce-b302099a8057'
const address = returnAddress(keyring, emailId, 'send.shop.test')

test('a return address is one an envelope can carry, and says which email it is of', () => {
  assert.match(address, /^bounce\+01890a5dac96774bbcceb302099a8057\.[a-z2-7]{16}@send\.shop\.test$/)
  assert(address.indexOf('@') <= 64)
  assert.deepEqual(readReturnAddress(keyring, address), { emailId, returnPath: 'send.shop.test' })
})

test('a server that changes the case of an address on its way changes nothing', () => {
  assert.equal(readReturnAddress(keyring, address.toUpperCase())?.emailId, emailId)
})

test('what is not signed, or signed for another email, domain or installation, is nobody', () => {
  const other = returnAddress(keyring, '01890a5d-ac96-774b-bcce-b302099a8058', 'send.shop.test')
  const [signed, signature] = [address.slice(0, 39), other.slice(40, 56)]
  const forged = [
    'bounce+01890a5d-ac96-774b-bcce-b302099a8057@send.shop.test',
    'bounce+01890a5dac96774bbcceb302099a8057@send.shop.test',
    `${signed}.@send.shop.test`,
    `${signed}.${signature}@send.shop.test`,
    `${signed}.${signature.slice(0, 15)}@send.shop.test`,
    address.replace('send.shop.test', 'send.other.test'),
    address.replace('bounce+', ''),
    `${address}\r\nRCPT TO:<ada@example.com>`,
    ` ${address}`,
    '',
  ]
  for (const text of forged) assert.equal(readReturnAddress(keyring, text), null, text)
  assert.equal(readReturnAddress(createKeyring('another secret, thirty-two bytes long'), address), null)
})
