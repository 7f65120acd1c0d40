import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** `npm run test:clients`: installs the programs beside it. Generators and checkers read the OpenAPI document, and the
 * quick starts run. */
const folder = fileURLToPath(new URL('.', import.meta.url))
const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
const shell = process.platform === 'win32'
const installed = spawnSync('npm', ['ci', ...options], { cwd: folder, stdio: 'inherit', shell })
const tested =
  installed.status === 0 &&
  spawnSync(process.execPath, ['test/run.ts', 'test/clients/clients.test.ts', 'test/clients/quickstarts.test.ts'], {
    stdio: 'inherit',
  })
process.exitCode = tested ? (tested.status ?? 1) : 1
