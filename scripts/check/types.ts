import { copyFileSync, existsSync, renameSync } from 'node:fs'
import { cachePath, type Outcome, runProgram } from './part.ts'
import { unlessPassed } from './passed.ts'

/** Checks the types of one project. The name is that of what is kept of it. */
export function checkTypes(name: string, project: string, all: boolean): Promise<Outcome> {
  return unlessPassed(`types-${name}`, all, () => compile(cachePath(`types-${name}.json`), project, all))
}

/**
 * The compiler keeps what it knows of each file, by the file's content, and its faults with it. It works on a copy: two
 * checks may run at the same time, and a copied checkout may share the file by a hard link.
 */
async function compile(kept: string, project: string, all: boolean): Promise<Outcome> {
  const own = `${kept}.${process.pid}`
  if (!all && existsSync(kept)) copyFileSync(kept, own)
  const state = ['--incremental', '--tsBuildInfoFile', own]
  const outcome = await runProgram('typescript/bin/tsc', ['--noEmit', '-p', project, '--pretty', 'false', ...state])
  if (existsSync(own)) renameSync(own, kept)
  return outcome
}
