import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { App } from '../context.ts'
import { assembleParts } from '../main.ts'
import { createLog } from '../platform/log/log.ts'
import { openStorage } from '../storage.ts'

/** Runs a command on the database of a server, which may be running at the same time. */
export async function withApp<T>(work: (app: App, migrated: string[]) => Promise<T>): Promise<T> {
  // Commands print their result; the log shows errors only.
  const config = readConfig({ ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? 'error', ROLES: 'api' })
  const log = await createLog(config)
  const storage = await openStorage(config, log)
  try {
    const running = await createApp(await assembleParts(config, log, storage))
    return await work(running.app, storage.migrated).finally(() => running.close(1000))
  } finally {
    await storage.close()
  }
}
