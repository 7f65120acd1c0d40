import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { jsonPathFault } from './environment.ts'
import { findByJsonPath } from './find.ts'

type Case = {
  name: string
  selector: string
  document?: unknown
  result?: unknown[]
  /** The valid results, if RFC 9535 leaves the order open. */
  results?: unknown[][]
  invalid_selector?: true
}

/**
 * The compliance suite of the JSONPath working group (BSD-2-Clause). Only the suite in this package is used, no code of
 * it.
 */
const suite = new URL(
  './src/__tests__/jsonpath-compliance-test-suite/cts.json',
  import.meta.resolve('jsonpath-rfc9535/package.json'),
)
const { tests } = JSON.parse(readFileSync(suite, 'utf8')) as { tests: Case[] }

test('every case of the public JSONPath compliance suite passes', () => {
  assert.ok(tests.length >= 600, `${tests.length} cases`)
  const wrong = tests.flatMap((one) => {
    const answer = answerOf(one)
    const right = one.invalid_selector
      ? ['refused']
      : (one.results ?? [one.result]).map((result) => JSON.stringify(result))
    return right.includes(answer) ? [] : [`${one.name}: ${one.selector} gives ${answer}, not ${right.join(' or ')}`]
  })
  assert.deepEqual(wrong, [])
})

function answerOf({ selector, document }: Case): string {
  return jsonPathFault(selector) === null ? findByJsonPath(selector, document, 1_000_000) : 'refused'
}
