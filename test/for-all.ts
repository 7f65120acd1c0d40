import fc from 'fast-check'
import { randomCases } from './slow.ts'

/** The arbitraries of some values, and what must hold for them. */
type Property<Values extends [unknown, ...unknown[]], Outcome> = [
  ...arbitraries: { [Key in keyof Values]: fc.Arbitrary<Values[Key]> },
  holds: (...values: Values) => Outcome,
]

/** A number of cases: in a slow run all of them, otherwise a tenth. `always` is that many in each run. */
type Cases = number | { always: number }

/** Asserts that a property holds for random values. */
export function forAll<Values extends [unknown, ...unknown[]]>(
  cases: Cases,
  ...property: Property<Values, void>
): void {
  fc.assert(fc.property<Values>(...property), { numRuns: runsOf(cases) })
}

/** As `forAll`, for a property that is a promise. */
export function forAllAsync<Values extends [unknown, ...unknown[]]>(
  cases: Cases,
  ...property: Property<Values, Promise<void>>
): Promise<void> {
  return fc.assert(fc.asyncProperty<Values>(...property), { numRuns: runsOf(cases) })
}

function runsOf(cases: Cases): number {
  return typeof cases === 'number' ? randomCases(cases) : cases.always
}
