import assert from 'node:assert/strict'
import { test } from 'node:test'
import { variablesIn } from './template.ts'

test('variables are found as the server finds them, each once', () => {
  const html = '<p>{{ name }} {{order.id}} {{name}} {{größe}} {{a b}} {name} {{}} {{{{x}}}}</p>'
  assert.deepEqual(variablesIn(html, '{{shop-name}} {{name}}'), ['name', 'order.id', 'größe', 'x', 'shop-name'])
  assert.equal(variablesIn(Array.from({ length: 500 }, (_, at) => `{{v${at}}}`).join('')).length, 200)
})
