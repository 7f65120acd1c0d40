import { spawn } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../environment/read.ts'
import { type Attachment, attach, pidFile, WrongPassword } from './attach.ts'
import { chooseListening } from './choose-listening.ts'
import type { Binaries } from './find-binaries.ts'
import { findHolder } from './holder.ts'
import type { Home } from './home.ts'
import { initialise } from './initialise.ts'
import type { Log } from './log.ts'
import { boundLog, logFile, readLogTail } from './log-file.ts'
import { ensurePassword } from './password.ts'
import { startingIn, writeConfiguration } from './paths.ts'
import { renderAccess, renderSettings } from './settings.ts'
import { stopServer } from './stop.ts'

/** A server that recovers after a crash reads up to a gigabyte of its log, which takes minutes on a slow disk. */
const readyWithinMs = 10 * 60_000
const logEveryMs = 10_000
const pollMs = 20
const launchesMax = 8

/**
 * Attaches to the server once it is ready, and starts it if it does not run. Call it under the lock. Throws with the
 * end of the server's log if the server does not start. Throws if it is not ready ten minutes after its start; it keeps
 * running then.
 */
export async function launch(
  home: Home,
  binaries: () => Promise<Binaries>,
  settings: Record<string, string>,
  log: Log,
): Promise<{ attachment: Attachment; launched: boolean }> {
  let running: Running | null = null
  let launches = 0
  let wait = waiting(home, log)
  for (;;) {
    const attachment = await attach(home).catch(async (error: unknown) => {
      if (running) await stopServer(home, await binaries())
      throw running && error instanceof WrongPassword ? error.afterStop : error
    })
    if (typeof attachment !== 'string') return { attachment, launched: running !== null }
    if (running?.failure() !== undefined) {
      const failure = await describe(home, running)
      if (launches >= launchesMax || !passes.test(failure)) return refuseFailed(home, failure)
      await sleep(100 * launches)
      running = null
    } else if (attachment === 'none' && !running) {
      running = await start(home, await binaries(), settings)
      launches++
      wait = waiting(home, log)
    } else await wait()
  }
}

/** Returns a function that waits a moment for the server. It logs a long wait, and throws when the longest is over. */
function waiting(home: Home, log: Log): () => Promise<void> {
  const began = performance.now()
  let loggedAt = began
  return async () => {
    const now = performance.now()
    if (now - began > readyWithinMs)
      throw new Error(`The database was not ready within ${readyWithinMs / 60_000} minutes; see ${logFile(home)}.`)
    if (now - loggedAt > logEveryMs) {
      loggedAt = now
      log.info({ file: logFile(home) }, 'Waiting for the database, which is starting or recovering.')
    }
    await sleep(pollMs)
  }
}

/** The last children of a killed server take a moment to end, and the server does not start beside them. */
const passes = /is still in use|lock file ".*" already exists/

/** `failure()` is undefined while the program runs, and afterwards explains how it ended. */
type Running = { failure(): string | undefined; logOffset: number }

async function start(home: Home, binaries: Binaries, settings: Record<string, string>): Promise<Running> {
  await boundLog(home)
  await initialise(home, binaries)
  await removeStalePidFile(home)
  await ensurePassword(home, binaries)
  const accessFile = await writeConfiguration(home, 'pg_hba.conf', renderAccess(home.account !== null))
  const text = renderSettings(await chooseListening(home), binaries.major, { hba_file: accessFile, ...settings })
  return run(home, binaries, await writeConfiguration(home, 'postgresql.conf', text))
}

/**
 * If the pid in a killed server's file now belongs to another process of the same user, or was never reaped, as happens
 * in containers, PostgreSQL takes the file for a running server's. This removes it, but only if the system says that
 * the server is gone. PostgreSQL's other interlock stays.
 */
async function removeStalePidFile(home: Home): Promise<void> {
  const holder = await findHolder(home)
  if (holder?.is === 'stranger') await rm(pidFile(home), { force: true })
}

/**
 * Runs the server in a separate session, so that Ctrl-C in the terminal and the end of this process do not affect it.
 */
async function run(home: Home, binaries: Binaries, configFile: string): Promise<Running> {
  const log = await open(logFile(home), 'a', 0o600)
  const { size: logOffset } = await log.stat()
  const [program, ...args] = command(home, binaries, configFile)
  const child = spawn(program, args, {
    ...startingIn(home).options,
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
    windowsHide: true,
  })
  let failure: string | undefined
  child.on('error', (error) => {
    failure = error.message
  })
  child.on('exit', (code, signal) => {
    if (code !== 0 || home.account) failure = `ended with ${signal ?? code}`
  })
  child.unref()
  await log.close()
  return { failure: () => failure, logOffset }
}

/** Returns the command. On Windows it is pg_ctl, which drops an administrator's rights and ends at once. */
function command(home: Home, binaries: Binaries, configFile: string): [string, ...string[]] {
  if (home.account) return [binaries.postgres, '-D', startingIn(home).cluster, '-c', `config_file=${configFile}`]
  const options = `-c config_file="${configFile}"`
  return [binaries.pgCtl, 'start', '-W', '-D', home.cluster, '-l', logFile(home), '-o', options]
}

async function refuseFailed(home: Home, failure: string): Promise<never> {
  const holder = /lock file ".*" already exists/.test(failure) ? await findHolder(home) : null
  if (!holder) throw new Error(`The database did not start: ${failure}`)
  const { pid } = holder
  throw new ConfigError(
    `The database did not start, because ${pidFile(home)} names process ${pid} as its server. If that is the database, stop it (kill -INT ${pid}); if it is another program, remove the file.`,
  )
}

async function describe(home: Home, running: Running): Promise<string> {
  return `${running.failure()}. ${await readLogTail(home, running.logOffset)}`
}
