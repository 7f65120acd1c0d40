/**
 * How many random cases a property is tried with: `many` under `npm run test:slow`, which runs these files as well, and a
 * tenth of them in the default suite, five at least.
 */
export function randomCases(many: number): number {
  return process.env.TEST_RANDOM_CASES === 'many' ? many : Math.min(many, Math.max(5, Math.ceil(many / 10)))
}
