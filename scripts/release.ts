import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { routes } from '../src/app.ts'
import { describe } from '../src/reference/openapi.ts'
import { version } from '../src/version.ts'
import { checkRelease, type Product } from './check-release.ts'
import { settingsPage } from './settings.ts'

/**
 * `npm run release` makes the annotated tag `v<version>` after checks, and does not push it. `--check` checks alone.
 * Prints a line for each check, and exits with 1 if something is to be done first.
 */
const unknown = process.argv.slice(2).filter((argument) => argument !== '--check')
if (unknown.length > 0) {
  console.error(`There is no option ${unknown.join(', ')}. Usage: npm run release [-- --check]`)
  process.exit(2)
}
const root = fileURLToPath(new URL('..', import.meta.url))
const checks = checkRelease(root, describeProduct())
for (const { subject, todo } of checks)
  console.log(todo === null ? `ok      ${subject}` : `to do   ${subject}: ${todo}`)
const isReady = checks.every(({ todo }) => todo === null)
if (isReady && !process.argv.includes('--check')) {
  execFileSync('git', ['tag', '--annotate', `v${version}`, '--message', `Posthorn ${version}`], { cwd: root })
  console.log(`The tag v${version} is made. Publish it: git push origin v${version}`)
}
process.exitCode = isReady ? 0 : 1

function describeProduct(): Product {
  const document = describe(routes, 'http://localhost:3000')
  return {
    versions: { 'src/version.ts': version, 'the OpenAPI document': (document.info as { version: string }).version },
    settings: settingsPage(),
  }
}
