import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { clientModules } from './modules.ts'

/**
 * `npm run test:clients`: installs the programs of package.json. Generators and checkers read the OpenAPI document,
 * others check the SDK's package, and the quick starts run.
 */
const folder = join(clientModules, '..')
mkdirSync(folder, { recursive: true })
for (const name of ['package.json', 'package-lock.json'])
  copyFileSync(new URL(name, import.meta.url), join(folder, name))
const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
const shell = process.platform === 'win32'
const installed = spawnSync('npm', ['ci', ...options], { cwd: folder, stdio: 'inherit', shell })
const files = ['clients', 'package', 'quickstarts'].map((name) => `test/clients/${name}.test.ts`)
const tested = installed.status === 0 && spawnSync(process.execPath, ['test/run.ts', ...files], { stdio: 'inherit' })
process.exitCode = tested ? (tested.status ?? 1) : 1
