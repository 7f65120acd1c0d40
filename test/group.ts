import { appendFileSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { closeSharedTestApp } from './app.ts'

/** What a test file cost its process, in milliseconds: on the clock, and of processor time. Loading and closing are included. */
export type Cost = { file: string; wallMs: number; cpuMs: number }

/** A file whose clean-up fails is left behind after this long. */
const closeMaxMs = 60_000
/** A connection that a failed test left open keeps the process this much longer. */
const lingerMaxMs = 5000

/**
 * Runs test files in this process, one after the other, each as a suite. Processes share the list: each file is run by
 * the one that claims it first, by creating a file in `folder`. Paths are relative to the working directory.
 */
export async function runFiles(files: string[], folder: string): Promise<void> {
  for (const file of files) if (claim(file, folder)) await runFile(file, folder)
  await closeSharedTestApp()
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

/** Loads the file as the body of a suite; resolves when its tests have run and what it opened is closed. */
function runFile(file: string, folder: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const started = performance.now()
  const used = process.cpuUsage()
  describe(file, async () => {
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
