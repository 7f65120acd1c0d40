import { lintFiles, lintPromises } from './check/lint.ts'
import { type Part, runPart } from './check/part.ts'
import { checkTypes } from './check/types.ts'

/**
 * `npm run check`: the types and the linter, side by side, as far as something has changed since they last passed.
 * `--all` checks everything. Prints the faults, and a line with the seconds of each part. Works in the current folder,
 * which npm makes the root.
 */
const unknown = process.argv.slice(2).filter((argument) => argument !== '--all')
if (unknown.length > 0) {
  console.error(`There is no option ${unknown.join(', ')}. Usage: npm run check [-- --all]`)
  process.exit(2)
}
const all = process.argv.includes('--all')
const parts: Part[] = [
  { name: 'types of the server', run: () => checkTypes('server', '.', all) },
  { name: 'types of test/browser', run: () => checkTypes('browser', 'test/browser', all) },
  { name: 'types of dashboard', run: () => checkTypes('dashboard', 'dashboard', all) },
  { name: 'types of sdk', run: () => checkTypes('sdk', 'sdk', all) },
  { name: 'types of cli', run: () => checkTypes('cli', 'cli', all) },
  { name: 'lint', run: () => lintFiles(all) },
  { name: 'promises that nothing waits for', run: () => lintPromises(all) },
]
const passed = await Promise.all(parts.map(runPart))
process.exitCode = passed.every(Boolean) ? 0 : 1
