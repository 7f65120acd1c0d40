import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { App } from '../context.ts'
import { assembleParts } from '../main.ts'
import { createLog } from '../platform/log.ts'
import { openStorage } from '../storage.ts'

/** Runs a command on the same database as a server that may be running beside it. */
export async function withApp<T>(work: (app: App, migrated: string[]) => Promise<T>): Promise<T> {
  // Commands answer in words; what the machinery logs is of interest only when it goes wrong.
  const config = readConfig({ ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? 'error', ROLES: 'api' })
  const log = await createLog(config.logLevel)
  const storage = await openStorage(config, log)
  try {
    const running = await createApp(await assembleParts(config, log, storage))
    return await work(running.app, storage.migrated).finally(() => running.close(1000))
  } finally {
    await storage.close()
  }
}
