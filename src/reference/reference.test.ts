import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'

const posthorn = await createTestApp()

test('the document describes every operation', async () => {
  const { status, body } = await posthorn.anyone.get('/openapi.json')
  assert.equal(status, 200)
  assert.equal(body.openapi, '3.1.0')
  console.log(Object.keys(body.paths).length, JSON.stringify(body.paths['/v1/emails'].post).length)
})
