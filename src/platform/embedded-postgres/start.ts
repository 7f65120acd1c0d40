import { isAbsolute } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../environment/read.ts'
import { type Attachment, attach } from './attach.ts'
import { chooseHome } from './choose-home.ts'
import type { Connection } from './connection.ts'
import { findBinaries } from './find-binaries.ts'
import type { Home } from './home.ts'
import { launch } from './launch.ts'
import { withLock } from './lock.ts'
import type { Log } from './log.ts'
import { boundLog } from './log-file.ts'
import { isUsedByOthers, stopServer } from './stop.ts'

type EmbeddedOptions = {
  /** An absolute path. The cluster is in `postgres` below it. */
  dataDir: string
  log: Log
  /**
   * PostgreSQL settings that override ours. They take effect when the server is started, not when a running one is
   * adopted.
   */
  settings?: Record<string, string>
  /** The PATH, to find a system PostgreSQL if npm brought none. */
  searchPath?: string
}

export type EmbeddedPostgres = {
  /**
   * The settings for `pg`: a role that owns its database and may create others. A copy each time, since the port may
   * change on Windows.
   */
  connection(): Connection
  /** True if a server was running already, another process's or one that a killed process left behind. */
  adopted: boolean
  /** True if no other process used the server when this one came. */
  isAlone: boolean
  /**
   * Resolves when the server runs, or is being stopped, and starts one that ended. It tries again until then. Costs a
   * connection. Concurrent callers share the work.
   */
  ensureRunning(): Promise<void>
  /** Stops the server unless another process uses it: the last one stops it. Close your own connections first. */
  stop(): Promise<void>
}

/** Longer than another process may take to make the database and to wait for it. */
const startLockMs = 20 * 60_000
/** Within the 10 s that a stop may take, with time left for the server's own shutdown. */
const stopLockMs = 3000
const retryDelaysMs = [0, 100, 250, 500, 1000, 2000, 4000]
/** The pause before each further attempt, for as long as the cause lasts, such as a full disk. */
const retryMaxMs = 5000
const boundLogEveryMs = 10 * 60_000

/**
 * Starts the embedded PostgreSQL of a DATA_DIR, or attaches to the one that runs there. Any number of processes may do
 * so.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  if (!isAbsolute(options.dataDir)) throw new Error(`dataDir must be absolute: ${options.dataDir}`)
  const { log, settings = {}, searchPath = '' } = options
  const home = await chooseHome(options.dataDir, log)
  const binaries = () => findBinaries(home, searchPath)
  const stopServerNow = async () => stopServer(home, await binaries())
  const open = () => attachOrLaunch(home, () => launch(home, binaries, settings, log), stopServerNow)

  const first = await open()
  let attachment: Attachment | null = null
  let connection = first.attachment.connection
  let recovering: Promise<void> | null = null
  let stopping: Promise<void> | null = null
  const bounding = setInterval(() => void boundLog(home).catch(() => {}), boundLogEveryMs).unref()
  const isAlone = !(await isUsedByOthers(first.attachment))
  hold(first.attachment)

  /** Unreferenced, so that a process that forgets to stop still ends. */
  function hold(next: Attachment): void {
    attachment = next
    connection = next.connection
    // The types of pg omit this method.
    const client = next.client as Attachment['client'] & { unref(): void }
    client.unref()
    next.client.once('end', () => {
      if (attachment !== next) return
      attachment = null
      if (stopping) return
      log.warn({ folder: home.folder }, 'The embedded database went away; bringing it back.')
      ensureRunning().catch(() => {})
    })
  }

  async function ensureRunning(): Promise<void> {
    if (stopping) throw new Error('The embedded database is being stopped.')
    if (attachment && (await accepts(home))) return
    recovering ??= recover().finally(() => {
      recovering = null
    })
    return recovering
  }

  async function recover(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      await sleep(retryDelaysMs[attempt] ?? retryMaxMs)
      if (stopping) return
      try {
        const opened = await open()
        if (stopping) return await opened.attachment.client.end()
        hold(opened.attachment)
        log.info({ folder: home.folder }, 'The embedded database is back.')
        return
      } catch (error) {
        log.warn({ err: error }, 'The embedded database did not start; trying again.')
      }
    }
  }

  async function stopOnce(): Promise<void> {
    clearInterval(bounding)
    if (recovering) await Promise.race([recovering.catch(() => {}), sleep(stopLockMs, undefined, { ref: false })])
    await withLock(home.folder, stopLockMs, async () => {
      if (!attachment) return
      const used = await isUsedByOthers(attachment)
      await attachment.client.end()
      if (used) return
      if (!(await stopServerNow())) log.warn({ folder: home.folder }, 'The database would not stop.')
    })
  }

  return {
    connection: () => ({ ...connection }),
    adopted: !first.launched,
    isAlone,
    ensureRunning,
    stop() {
      stopping ??= stopOnce().catch((error: unknown) => {
        log.warn({ err: error, folder: home.folder }, 'The embedded database was left running.')
      })
      return stopping
    },
  }
}

/** Tells whether a new connection succeeds: the attachment may outlive its server by a moment. */
async function accepts(home: Home): Promise<boolean> {
  const probe = await attach(home)
  if (typeof probe === 'string') return false
  await probe.client.end()
  return true
}

async function attachOrLaunch(
  home: Home,
  launching: () => ReturnType<typeof launch>,
  stopping: () => Promise<unknown>,
): ReturnType<typeof launch> {
  const running = await attach(home)
  if (typeof running !== 'string') {
    if (running.connection.password !== undefined) return { attachment: running, launched: false }
    await running.client.end()
    await withLock(home.folder, startLockMs, () => stopOpen(home, stopping))
  }
  return withLock(home.folder, startLockMs, launching)
}

/**
 * Stops a server without a password, as those of version 0.1 are. Throws `ConfigError` while such a version uses it.
 */
async function stopOpen(home: Home, stop: () => Promise<unknown>): Promise<void> {
  const attachment = await attach(home)
  if (typeof attachment === 'string') return
  if (attachment.connection.password !== undefined) return attachment.client.end()
  const used = await staysUsed(attachment)
  await attachment.client.end()
  if (used) {
    throw new ConfigError(
      `The database in ${home.folder} is in use by an older version of Posthorn: stop that one, then start this one.`,
    )
  }
  await stop()
}

const looksAtUsers = 10
const betweenLooksMs = 300

/** Tells whether others use the server for longer than another start or a killed process is attached to it. */
async function staysUsed(attachment: Attachment): Promise<boolean> {
  for (let look = 1; look <= looksAtUsers; look++) {
    if (!(await isUsedByOthers(attachment))) return false
    await sleep(betweenLooksMs)
  }
  return true
}
