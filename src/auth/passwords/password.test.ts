import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, verifyPassword } from './password.ts'

const password = 'a long and winding rôad'

test('a password is recognised however a keyboard composes it, and no other is', async () => {
  const hash = await hashPassword(password)
  assert.equal(await verifyPassword(hash, password.normalize('NFD')), true)
  assert.equal(await verifyPassword(hash, password.toUpperCase()), false)
  assert.notEqual(await hashPassword(password), hash, 'each hash has its own salt')
})

test('nobody has no password, and finding that out takes as much work as a wrong one', async () => {
  const hash = await hashPassword(password)
  const timeOf = async (passwordHash: string | null) => {
    const start = performance.now()
    for (let time = 0; time < 5; time++) assert.equal(await verifyPassword(passwordHash, 'wrong'), false)
    return performance.now() - start
  }
  const ratio = (await timeOf(null)) / (await timeOf(hash))
  // Without hashing, the ratio would be about 0.001. The range allows for a busy machine.
  assert.ok(ratio > 0.1 && ratio < 10, `ratio ${ratio}`)
  assert.equal(await verifyPassword(null, ''), false)
})
