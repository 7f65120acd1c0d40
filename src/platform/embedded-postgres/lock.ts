import { readlinkSync } from 'node:fs'
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hostNow } from '../time/clock.ts'
import { isAlive } from './is-alive.ts'

/**
 * The holder touches its lock this often. A lock that was not touched for ten times as long is abandoned, even if its
 * pid runs.
 */
const touchEveryMs = 1000
const abandonedAfterMs = 10 * touchEveryMs
const pollMs = 20

/** Process ids mean something within one container only. Empty where the system has no such spaces of ids. */
const idSpace = readIdSpace()
/** This process, distinguished from an earlier one that had the same pid (as happens in containers). */
const self = `${process.pid} ${performance.timeOrigin} ${idSpace}`

/**
 * Runs `work` while no other process does so in `folder`. Only creating, starting and stopping a database need the
 * lock. PostgreSQL has another interlock, so a lock lost to a frozen process causes an error, never a loss of data.
 * Throws if the lock is not free within `waitMs`.
 */
export async function withLock<T>(folder: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const file = join(folder, 'lock')
  await acquire(file, waitMs)
  const touch = setInterval(() => {
    const now = hostNow()
    utimes(file, now, now).catch(() => {})
  }, touchEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(touch)
    await rm(file, { force: true })
  }
}

async function acquire(file: string, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs
  for (;;) {
    if (await create(file)) return
    if (await isAbandoned(file)) await takeAway(file)
    else if (performance.now() > deadline) {
      throw new Error(`Another process has been starting or stopping the database for ${waitMs / 1000} s (${file}).`)
    } else await sleep(pollMs)
  }
}

function readIdSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

function create(file: string): Promise<boolean> {
  return writeFile(file, self, { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
}

async function isAbandoned(file: string): Promise<boolean> {
  const [holder, stats] = await Promise.all([readFile(file, 'utf8').catch(() => ''), stat(file).catch(() => null)])
  if (!stats) return false
  if (hostNow().getTime() - stats.mtimeMs > abandonedAfterMs) return true
  const pid = Number.parseInt(holder, 10)
  // Empty if its holder is between creating and writing it.
  if (!pid) return false
  const holdersSpace = holder.split(' ')[2] ?? idSpace
  if (holdersSpace !== idSpace) return false
  return pid === process.pid ? holder !== self : !isAlive(pid)
}

/** Removes an abandoned lock. Renames it first, so that only one of several processes removes it. */
async function takeAway(file: string): Promise<void> {
  const aside = `${file}.${process.pid}`
  await rename(file, aside).catch(() => {})
  await rm(aside, { force: true })
}
