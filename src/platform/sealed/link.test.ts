import assert from 'node:assert/strict'
import fc from 'fast-check'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { createKeyring } from '../keys/keyring.ts'

const keyring = createKeyring('a secret of tests, thirty-two bytes and more')

propertyTest(
  'a sealed value reads back, has the same bytes each time, and cannot be changed or moved to another purpose',
  () => {
    forAll({ always: 100 }, fc.uint8Array({ maxLength: 200 }), fc.nat(), (bytes, at) => {
      const content = Buffer.from(bytes)
      const sealed = keyring.sealLink('one', content)
      assert.deepEqual(keyring.unsealLink('one', sealed), content)
      assert.deepEqual(keyring.sealLink('one', content), sealed)
      const changed = Buffer.from(sealed)
      changed[at % changed.length]! ^= 1
      assert.equal(keyring.unsealLink('one', changed), null)
      assert.equal(keyring.unsealLink('other', sealed), null)
      assert.equal(keyring.unsealLink('one', sealed.subarray(0, 15)), null)
    })
  },
)
