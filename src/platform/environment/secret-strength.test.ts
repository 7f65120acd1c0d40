import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest, randomCases } from '../../../test/slow.ts'
import { estimateSecretBits, leastSecretBits } from './secret-strength.ts'

function passes(secret: string): boolean {
  return estimateSecretBits(secret) >= leastSecretBits
}

function bytes(length: number) {
  return fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array))
}

/** Without fast-check's bias towards the ends of ranges, since random texts are tested. */
function randomText(alphabet: string) {
  return fc.noBias(fc.string({ unit: fc.constantFrom(...alphabet), minLength: 32, maxLength: 80 }))
}

propertyTest('32 random bytes pass in any encoding', () => {
  forAll(150, fc.noBias(bytes(32)), (random) => {
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const written = random.toString(encoding)
      assert.ok(passes(written), `${encoding} ${written}: ${estimateSecretBits(written)}`)
    }
    assert.ok(passes(random.toString('hex').toUpperCase()))
  })
})

propertyTest('16 random bytes in hexadecimal digits are 128 bits, and pass', () => {
  fc.assert(
    fc.property(fc.noBias(bytes(16)), (random) => assert.ok(passes(random.toString('hex')), random.toString('hex'))),
    { numRuns: randomCases(100) },
  )
})

propertyTest('32 random letters and more pass', () => {
  for (const alphabet of ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']) {
    forAll(150, randomText(alphabet), (secret) => {
      assert.ok(passes(secret), `${secret}: ${estimateSecretBits(secret)}`)
    })
  }
})

test('texts that people invent do not pass, at any length', () => {
  const weak = [
    'a'.repeat(32),
    'a'.repeat(4000),
    ' '.repeat(40),
    'ab'.repeat(40),
    'abc'.repeat(20),
    'Abc123'.repeat(8),
    'password'.repeat(5),
    'Password1Password2Password3Password4',
    'password1234password1234password1234',
    'change-me-change-me-change-me-change-me',
    'change-me-to-a-secret-of-at-least-32-bytes',
    'ChangeMeChangeMeChangeMeChangeMe',
    '0123456789'.repeat(4),
    '0123456789abcdef0123456789abcdef',
    '9876543210987654321098765432109876543210',
    'abcdefghijklmnopqrstuvwxyz0123456789',
    'zyxwvutsrqponmlkjihgfedcba9876543210',
    'qwertyuiopasdfghjklzxcvbnmqwertyuiop',
    'supersecretsupersecretsupersecret123',
    'posthorn-production-secret-posthorn-production',
    'deadbeef'.repeat(8),
    `${'0'.repeat(63)}1`,
    'aabbaabbabababbaabbbaababbababab',
    '12345678901234567890123456789012',
    'xK9'.repeat(30),
    'ä'.repeat(32),
    '😀'.repeat(32),
  ]
  for (const secret of weak) assert.ok(!passes(secret), `${secret}: ${estimateSecretBits(secret)}`)
})

test('a repetitive text has no bits, and a very long one is judged quickly by its beginning', () => {
  assert.equal(estimateSecretBits(''), 0)
  assert.ok(estimateSecretBits('x'.repeat(1_000_000)) < 64)
})
