import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'

/**
 * `npm run test:again -- FILE... [--times 20] [--busy]`: runs test files again and again, to find what passes only
 * sometimes. `--busy` keeps every core busy beside them. Prints a line for each run, what a failed one wrote, and how
 * many failed.
 */
const usage = 'Usage: npm run test:again -- FILE... [--times N] [--busy]'
const { files, times, busy } = readArguments()
const spinners = busy ? Array.from({ length: availableParallelism() }, startSpinner) : []
let stopped: NodeJS.Signals | null = null
let child: ChildProcess | null = null
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopped = signal
    child?.kill(signal)
  })
}

let failures = 0
for (let round = 1; round <= times && stopped === null; round++) {
  const startedMs = performance.now()
  const { code, output } = await runOnce()
  if (code !== 0) {
    failures++
    process.stdout.write(output)
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  console.log(`${round} of ${times}: ${code === 0 ? 'passed' : 'FAILED'}, ${seconds} s`)
}
console.log(failures === 0 ? 'Every run passed.' : `${failures} of ${times} runs failed.`)
for (const spinner of spinners) void spinner.terminate()
process.exitCode = failures === 0 && stopped === null ? 0 : 1

function readArguments(): { files: string[]; times: number; busy: boolean } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { times: { type: 'string', default: '20' }, busy: { type: 'boolean', default: false } },
    })
    const times = Number(values.times)
    if (positionals.length === 0) throw new Error('Name the test files.')
    if (!Number.isInteger(times) || times < 1) throw new Error(`--times takes a number from 1, and is ${values.times}.`)
    return { files: positionals, times, busy: values.busy }
  } catch (error) {
    console.error(`${(error as Error).message} ${usage}`)
    process.exit(2)
  }
}

function startSpinner(): Worker {
  return new Worker('for (;;);', { eval: true })
}

/**
 * Runs the files as `npm test -- FILE…` does, or as `npm run test:browser -- FILE…` does if they are of the browser.
 */
function runOnce(): Promise<{ code: number; output: Buffer }> {
  const isOfBrowser = files.every((file) => file.startsWith(join('test', 'browser')))
  const runner = new URL(isOfBrowser ? 'browser/run.ts' : 'run.ts', import.meta.url).pathname
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: Buffer }>()
  const parts: Buffer[] = []
  child = spawn(process.execPath, [runner, ...files], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (part: Buffer) => parts.push(part))
  child.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(parts) }))
  return promise
}
