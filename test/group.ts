import { appendFileSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { only } from './slow.ts'
import { leaveTests } from './track-tests.ts'

/** The cost of a test file in milliseconds, as elapsed time and processor time, including loading and closing. */
export type Cost = { file: string; wallMs: number; cpuMs: number }

/** The most time for the clean-up of a file. */
const closeMaxMs = 60_000
/** The most time that a connection of a failed test keeps the process running. */
const lingerMaxMs = 5000

/**
 * Runs test files in this process, one after the other, each as a suite. Processes share the list: each group is run by
 * the one that claims it first, by creating a file in `folder`. Paths are relative to the working directory. `close`
 * ends what the files of the process have shared.
 */
export async function runGroups(groups: string[][], folder: string, close: () => Promise<void>): Promise<void> {
  for (const group of groups) {
    if (!claim(group[0]!, folder)) continue
    for (const file of group) await runFile(file, folder)
  }
  await close()
  setTimeout(() => process.exit(), lingerMaxMs).unref()
}

function claim(file: string, folder: string): boolean {
  try {
    closeSync(openSync(join(folder, `${file.replaceAll('/', '_')}.claimed`), 'wx'))
    return true
  } catch {
    return false
  }
}

/** Loads the file as the body of a suite. Resolves when its tests have run and its resources are closed. */
function runFile(file: string, folder: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const started = performance.now()
  const used = process.cpuUsage()
  leaveTests()
  // Without `only`, node:test leaves out suites that are declared while it runs.
  describe(file, { only }, async () => {
    after(() => void setTimeout(resolve, closeMaxMs).unref())
    try {
      await import(pathToFileURL(file).href)
    } finally {
      after(() => {
        const { user, system } = process.cpuUsage(used)
        const cost: Cost = { file, wallMs: performance.now() - started, cpuMs: (user + system) / 1000 }
        appendFileSync(join(folder, 'costs.jsonl'), `${JSON.stringify(cost)}\n`)
        resolve()
      })
    }
  })
  return promise
}
