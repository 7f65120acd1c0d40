import { type TestContext, test } from 'node:test'

/** `npm run test:slow`, and a run of named files. */
const isSlowRun = process.env.TEST_SLOW !== 'no'

/** Declares a test that `npm run test:slow` runs and the default suite skips: about size, floods or many processes. */
export function slowTest(name: string, run: (context: TestContext) => void | Promise<void>): void {
  test(name, { skip: isSlowRun ? false : 'npm run test:slow' }, run)
}

/** The number of random cases for a property: all of them in a slow run, otherwise a tenth, but at least five. */
export function randomCases(many: number): number {
  return isSlowRun ? many : Math.min(many, Math.max(5, Math.ceil(many / 10)))
}
