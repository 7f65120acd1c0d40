import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { type TestContext, test } from 'node:test'

/** `npm run test:slow`, and a run of named files. */
const isSlowRun = process.env.TEST_SLOW !== 'no'

/** True in a process that runs slow and property tests only: `npm run test:slow`, for files that have others too. */
export const only = process.execArgv.includes('--test-only')

type Run = (context: TestContext) => void | Promise<void>

/**
 * Declares a test that `npm run test:slow` runs and the default suite skips, because it takes half a second or more.
 * Most are about size, floods or many processes.
 */
export function slowTest(name: string, run: Run): void {
  test(name, { only, skip: isSlowRun ? false : 'npm run test:slow' }, run)
}

const inThorough = new AsyncLocalStorage<true>()

/**
 * Declares a test of random cases. Both suites run it: `npm run test:slow` with all cases, the default one with a
 * tenth.
 */
export function propertyTest(name: string, run: Run): void {
  test(name, { only }, (context) => inThorough.run(true, run, context))
}

/** The number of random cases for a property: all of them in a slow run, otherwise a tenth, but at least five. */
export function randomCases(many: number): number {
  if (isSlowRun) return many
  assert.ok(inThorough.getStore(), 'Declare the test with propertyTest: otherwise npm run test:slow leaves it out.')
  return Math.min(many, Math.max(5, Math.ceil(many / 10)))
}
