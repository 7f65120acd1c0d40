import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/**
 * What a slow file needs of the machine, as a line `// needs: waiting` before its imports says:
 *
 * - `waiting`: little, because it waits for servers, leases and retries most of the time.
 * - `computing`: most of a core. So do files without such a line.
 * - `alone`: the whole machine, because it measures times or memory.
 */
export const needs = ['waiting', 'computing', 'alone'] as const
export type Need = (typeof needs)[number]

const fifthsOfCore = 5

/** The fifths of a core that a file uses on average. One that computes waits for the database too. */
export function shareOf(need: Need): number {
  return need === 'waiting' ? 1 : 3
}

/** Returns the need that a file names, or null if the line names something else. */
export function needOf(file: string): Need | null {
  const named = /^\/\/ needs: (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 'computing'
  return needs.find((need) => need === named) ?? null
}

/** A test process. */
export type Work = { need: Need; run(): Promise<number> }

/**
 * Runs processes side by side as far as their needs allow, and then each of those that want the machine alone. Returns
 * an exit code.
 */
export async function runSideBySide(works: Work[], cores = availableParallelism()): Promise<number> {
  const wanting = (need: Need) => works.filter((work) => work.need === need)
  const [first, ...computing] = wanting('computing')
  // Those that wait are the longest. Beside them one that computes has the time that they leave.
  const shared = [...(first ? [first] : []), ...wanting('waiting'), ...computing]
  const codes = await runShared(shared, cores)
  for (const { run } of wanting('alone')) codes.push(await run())
  return codes.every((code) => code === 0) ? 0 : 1
}

async function runShared(works: Work[], cores: number): Promise<number[]> {
  const codes: number[] = []
  const running = new Set<Promise<void>>()
  const left = [...works]
  let free = cores * fifthsOfCore
  while (left.length > 0 || running.size > 0) {
    // One that takes more than there is runs when nothing else does.
    const at = left.findIndex(({ need }) => shareOf(need) <= free || running.size === 0)
    if (at === -1) {
      await Promise.race(running)
      continue
    }
    const [{ need, run }] = left.splice(at, 1) as [Work]
    const share = shareOf(need)
    free -= share
    const ended = run().then((code) => {
      codes.push(code)
      free += share
      running.delete(ended)
    })
    running.add(ended)
  }
  return codes
}

const children = new Set<ChildProcess>()
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopped = true
    for (const child of children) child.kill(signal)
  })
}

/**
 * Runs a program and prints what it wrote once it has ended, so that files side by side do not mix. Resolves with its
 * exit code.
 */
export function runQuietly(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  // After a stop no further file begins.
  if (isStopped) return Promise.resolve(1)
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  const parts: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part))
  children.add(child)
  return new Promise((resolve) =>
    child.once('close', (code) => {
      children.delete(child)
      process.stdout.write(Buffer.concat(parts))
      resolve(code ?? 1)
    }),
  )
}
