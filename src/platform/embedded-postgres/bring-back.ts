import { execFile } from 'node:child_process'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from '../environment/read.ts'
import { findHolder } from './holder.ts'
import { homeIn } from './home.ts'
import { withLock } from './lock.ts'
import type { Log } from './log.ts'

const lockMs = 90_000

/**
 * Version 0.1 put the database of a DATA_DIR that was closed to its user into another folder, which `location` names.
 * This moves it into DATA_DIR. Throws `ConfigError` while a server still uses it.
 */
export async function bringBack(folder: string, log: Log): Promise<void> {
  if (!(await findFormer(folder))) return
  await withLock(folder, lockMs, async () => {
    const former = await findFormer(folder)
    if (!former) return
    const [from, to] = [join(former, 'cluster'), join(folder, 'cluster')]
    await refuseRunning(former, folder)
    if (!(await isThere(to))) await move(from, to)
    await rm(join(folder, 'location'))
    log.warn({ from, to }, `The database was moved from ${former} into DATA_DIR.`)
  })
}

/** The folder that `location` names, if there is a database in it. */
async function findFormer(folder: string): Promise<string | null> {
  const named = (await readFile(join(folder, 'location'), 'utf8').catch(() => '')).trim()
  return named !== '' && (await isThere(join(named, 'cluster'))) ? named : null
}

async function refuseRunning(former: string, folder: string): Promise<void> {
  const holder = await findHolder(await homeIn(former))
  if (!holder || holder.is === 'gone' || holder.is === 'stranger') return
  throw new ConfigError(
    `The database of this DATA_DIR still runs in ${former}, where an older version put it. Stop the older Posthorn and process ${holder.pid}, then start again: the data is moved to ${folder}.`,
  )
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    // On another file system. A later start removes a folder of this name.
    const draft = `${to}.unfinished-${process.pid}`
    await promisify(execFile)('cp', ['-a', '--', from, draft])
    await rename(draft, to)
    await rm(from, { recursive: true, force: true })
  }
}

export function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
