import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'

/** `npm run test:browser`: every file of this folder, or the named ones, one after the other, each on a server of its own. */
const named = process.argv.slice(2)
const files = named.length > 0 ? named : globSync('test/browser/*.test.ts').sort()
const options = ['--test', '--test-concurrency=1', '--test-timeout=300000', '--test-reporter=spec']
const child = spawn(process.execPath, [...options, ...files], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
