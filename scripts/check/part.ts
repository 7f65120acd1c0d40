import { spawn } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'

export type Outcome = { passed: boolean; output: string; note?: string }
export type Part = { name: string; run: () => Promise<Outcome> }

/** `npm ci` removes it, so that a checkout that is installed anew checks everything. */
const cacheFolder = 'node_modules/.cache/check'

/** Returns the path of a file that outlives the run. */
export function cachePath(name: string): string {
  mkdirSync(cacheFolder, { recursive: true })
  return `${cacheFolder}/${name}`
}

/** Replaces a file that outlives the run. Returns its path. A copied checkout may share the old one by a hard link. */
export function writeCached(name: string, text: string): string {
  const path = cachePath(name)
  writeFileSync(`${path}.${process.pid}`, text)
  renameSync(`${path}.${process.pid}`, path)
  return path
}

/** Prints the faults of a part and how long it took. Returns whether there are none. */
export async function runPart({ name, run }: Part): Promise<boolean> {
  const begunMs = performance.now()
  const { passed, output, note } = await run()
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(1).padStart(5)
  if (!passed) console.log(output.trim())
  console.log(`${seconds} s  ${name}${note ? ` (${note})` : ''}${passed ? '' : ': FAULTS'}`)
  return passed
}

/** Runs a program of a package, such as `typescript/bin/tsc`. */
export function runProgram(program: string, args: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [`node_modules/${program}`, ...args])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ passed: code === 0, output }))
  })
}
