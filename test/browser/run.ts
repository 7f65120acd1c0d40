import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { compiledFolder } from '../folders.ts'
import { patienceMs } from '../patience.ts'
import { findChromium } from './chromium.ts'

/**
 * `npm run test:browser`: every file of this folder, or the named ones, each on a server of its own. As many processes
 * as there are cores share the files, and each has a Chromium.
 */
const named = process.argv.slice(2)
// Each file starts a server before it opens a page, so a missing Chromium is told here.
findChromium()
/** These take longest, so they begin first. */
const first = ['roles', 'every-page', 'import', 'contacts'].map((name) => `test/browser/${name}.test.ts`)
const files = named.length > 0 ? named : [...new Set([...first, ...globSync('test/browser/*.test.ts').sort()])]
const folder = mkdtempSync(join(tmpdir(), 'posthorn-browser-tests-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const [group, chromium] = ['../group.ts', 'chromium.ts'].map((name) =>
  JSON.stringify(new URL(name, import.meta.url).href),
)
const groups = JSON.stringify(files.map((file) => [file]))
const script = [
  `const { runGroups } = await import(${group})`,
  `const { closeSharedChromium } = await import(${chromium})`,
  `await runGroups(${groups}, ${JSON.stringify(folder)}, closeSharedChromium)`,
]
const scripts = Array.from({ length: Math.min(availableParallelism(), files.length) }, (_, index) => {
  const path = join(folder, `process-${index}.mjs`)
  writeFileSync(path, `${script.join('\n')}\n`)
  return path
})
const options = [
  '--test',
  `--test-concurrency=${scripts.length}`,
  `--test-timeout=${8 * patienceMs}`,
  '--test-reporter=spec',
]
const child = spawn(process.execPath, [...options, ...scripts], {
  stdio: 'inherit',
  env: { ...process.env, NODE_COMPILE_CACHE: compiledFolder, TEST_SHARES_CHROMIUM: 'yes' },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
