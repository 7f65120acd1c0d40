import type pg from 'pg'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { App, Config } from '../context.ts'
import { assembleParts } from '../main.ts'
import type { Environment } from '../platform/environment/read.ts'
import { createLog } from '../platform/log/log.ts'
import { openStorage, withDatabase } from '../storage.ts'

/** Runs a command on the database of a server, which may be running at the same time. */
export async function withApp<T>(
  work: (app: App, migrated: string[]) => Promise<T>,
  environment: Environment = process.env,
): Promise<T> {
  const config = commandConfig(environment)
  const log = await createLog(config)
  const storage = await openStorage(config, log)
  try {
    const running = await createApp(await assembleParts(config, log, storage))
    return await work(running.app, storage.migrated).finally(() => running.close(1000))
  } finally {
    await storage.close()
  }
}

/** Runs a command on the database as it is: nothing is migrated, and the app is not made. */
export async function withoutApp<T>(
  work: (client: pg.Client, config: Config, dataDir: string) => Promise<T>,
  environment: Environment = process.env,
): Promise<T> {
  const config = commandConfig(environment)
  return withDatabase(config, await createLog(config), (client, dataDir) => work(client, config, dataDir))
}

/** Commands print their result; the log shows errors only. */
export function commandConfig(environment: Environment): Config {
  return readConfig({ ...environment, LOG_LEVEL: environment.LOG_LEVEL ?? 'error', ROLES: 'api' })
}
