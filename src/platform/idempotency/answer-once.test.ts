import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { findResponse } from './answer-once.ts'
import { claimRequestKeys } from './claim.ts'
import { deleteRequestKeys, requestKey, storeResponses } from './keys.ts'

const { app, team } = await createTestApp()

/** Claims a key, and looks for its answer while `meanwhile` happens between the reads of the claim and of its rows. */
async function lookWhile(meanwhile: (claim: { key: NonNullable<ReturnType<typeof requestKey>> }) => Promise<unknown>) {
  const { id } = await team()
  const claim = { key: requestKey(id, 'POST /v1/emails/batch', 'a', {})!, resourceIds: [app.newId()] }
  await app.transaction((tx) => claimRequestKeys(tx, [claim]))
  let looks = 0
  const found = await findResponse(app, claim.key, async () => {
    if (looks++ === 0) await meanwhile(claim)
    return { status: 200, body: `look ${looks}` }
  })
  return { found, looks }
}

test('a repeat is a new request if the first one is withdrawn while its rows are read', async () => {
  const { found } = await lookWhile(({ key }) => app.transaction((tx) => deleteRequestKeys(tx, [key])))
  assert.equal(found, null)
})

test('a repeat gets the stored answer if the first request is answered while its rows are read', async () => {
  const response = { status: 400, body: { error: 'No.', index: 0 } }
  const { found } = await lookWhile(({ key }) => app.transaction((tx) => storeResponses(tx, [{ key, response }])))
  assert.deepEqual(found, response)
})

test('a repeat does not get the answer of a withdrawn request whose key another one has claimed since', async () => {
  const { found, looks } = await lookWhile(async ({ key }) => {
    await app.transaction((tx) => deleteRequestKeys(tx, [key]))
    await app.transaction((tx) => claimRequestKeys(tx, [{ key, resourceIds: [app.newId()] }]))
  })
  assert.deepEqual([found, looks], [{ status: 200, body: 'look 2' }, 2])
})

test('a repeat gets what the rows of the first request say if its process has died', async () => {
  const { found, looks } = await lookWhile(async () => undefined)
  assert.deepEqual([found, looks], [{ status: 200, body: 'look 1' }, 1])
})
