import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowTest } from '../../test/slow.ts'
import { startReference } from './fixtures/try-out.ts'

const { operations, find, tryOut } = await startReference()

slowTest('the examples of sending emails send one at each try on a new installation', async () => {
  const ids = new Set<string>()
  for (let time = 0; time < 2; time++) {
    const single = await tryOut(find('post /v1/emails'))
    const batch = await tryOut(find('post /v1/emails/batch'))
    assert.deepEqual([single.status, batch.status], [200, 200], single.text + batch.text)
    ids.add(single.body.id)
  }
  assert.equal(ids.size, 2)
})

test('the reference page fills in no optional parameter', () => {
  for (const { parameters } of operations) {
    for (const { name, required, schema, examples } of parameters) {
      const filledIn = [schema.examples, schema.default, schema.enum].some((value) => value !== undefined)
      if (!required && filledIn) assert.equal(Object.values(examples ?? {})[0]?.['x-disabled'], true, name)
    }
  }
})
