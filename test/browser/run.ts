import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { compiledFolder } from '../folders.ts'
import { patienceMs } from '../patience.ts'

/** `npm run test:browser`: every file of this folder, or the named ones, as many at a time as there are cores, each on a server of its own. */
const named = process.argv.slice(2)
const files = named.length > 0 ? named : globSync('test/browser/*.test.ts').sort()
const options = [
  '--test',
  `--test-concurrency=${availableParallelism()}`,
  `--test-timeout=${8 * patienceMs}`,
  '--test-reporter=spec',
]
const child = spawn(process.execPath, [...options, ...files], {
  stdio: 'inherit',
  env: { ...process.env, NODE_COMPILE_CACHE: compiledFolder },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
