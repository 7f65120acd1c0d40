import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'

const posthorn = await createTestApp()
const { body: document, text } = await posthorn.anyone.get('/openapi.json')

test('the document has at most 1.92 kB for each operation, since each fact is said once', () => {
  const operations = Object.values<object>(document.paths).flatMap((methods) => Object.keys(methods))
  assert.ok(Buffer.byteLength(text) / operations.length < 1920, String(Buffer.byteLength(text)))
})

test('a schema that has all fields of another one refers to it', () => {
  const { allOf } = document.components.schemas.CreatedApiKey
  assert.deepEqual(allOf[0], { $ref: '#/components/schemas/ApiKey' })
  assert.deepEqual([allOf[1].required, Object.keys(allOf[1].properties)], [['key'], ['key']])
  assert.doesNotMatch(JSON.stringify(document), /x-extends/)
})

test('an example of a field is left out where that of the whole body shows it', () => {
  const { from, html } = document.components.schemas.NewEmail.properties
  assert.deepEqual([from.examples, html.examples], [undefined, ['<p>Hello {{name}}</p>']])
})
