import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, unmatchedHash, usualPasswordCost, verifyPassword } from './password.ts'

const app = { passwordCost: usualPasswordCost }
const password = 'a long and winding rôad'

test('a password is accepted in any Unicode composition, and no other password is', async () => {
  const hash = await hashPassword(app, password)
  assert.equal(await verifyPassword(app, hash, password.normalize('NFD')), true)
  assert.equal(await verifyPassword(app, hash, password.toUpperCase()), false)
  assert.notEqual(await hashPassword(app, password), hash, 'each hash has its own salt')
})

test('an account without a password matches no password, and its check takes the usual work', async () => {
  const costOf = (hash: string) => hash.split('$').slice(0, 4)
  assert.deepEqual(costOf(unmatchedHash(usualPasswordCost)), costOf(await hashPassword(app, password)))
  assert.deepEqual(costOf(unmatchedHash(usualPasswordCost)), ['', 'argon2id', 'v=19', 'm=19456,t=2,p=1'])
  for (const wrong of ['', password]) assert.equal(await verifyPassword(app, null, wrong), false)
})
