import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { App, Config } from '../context.ts'
import { assembleParts } from '../main.ts'
import { ConfigError, type Environment } from '../platform/environment/read.ts'
import { createLog } from '../platform/log/log.ts'
import { openStorage, withDatabase } from '../storage.ts'

type Options = {
  environment?: Environment
  /** True if the command may make the embedded database, as the first start of a server does. */
  makesDatabase?: boolean
}

/**
 * Runs a command on the database of a server, which may be running at the same time. Throws `ConfigError` if there is
 * no database yet, unless the command makes one.
 */
export async function withApp<T>(
  work: (app: App, migrated: string[]) => Promise<T>,
  options: Options = {},
): Promise<T> {
  const config = configOf(options)
  const log = await createLog(config)
  const storage = await openStorage(config, log)
  if (storage.migrated.length > 0 && !options.makesDatabase) process.stderr.write(tellMigrated(storage.migrated))
  try {
    const running = await createApp(await assembleParts(config, log, storage))
    return await work(running.app, storage.migrated).finally(() => running.close(1000))
  } finally {
    await storage.close()
  }
}

function tellMigrated(migrated: string[]): string {
  return `The database was brought to this version first, so that an older one refuses it now: ran ${migrated.join(', ')}.\n`
}

/** Runs a command on the database as it is: nothing is migrated, and the app is not made. */
export async function withoutApp<T>(
  work: (client: pg.Client, config: Config, dataDir: string) => Promise<T>,
  options: Options = {},
): Promise<T> {
  const config = configOf(options)
  return withDatabase(config, await createLog(config), (client, dataDir) => work(client, config, dataDir))
}

function configOf({ environment = process.env, makesDatabase = false }: Options): Config {
  const config = commandConfig(environment)
  if (!makesDatabase && !hasDatabase(config)) {
    throw new ConfigError(
      `There is no database in ${resolve(config.dataDir)}. Give the command the settings of the server: its DATA_DIR or DATABASE_URL.`,
    )
  }
  return config
}

/** Tells whether there is a database that can be opened without making it. */
export function hasDatabase({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== null || existsSync(join(dataDir, 'postgres'))
}

/** Commands print their result; the log shows errors only. */
export function commandConfig(environment: Environment): Config {
  const { ROLES_FILE: _, ...others } = environment
  const isLevelGiven = environment.LOG_LEVEL || environment.LOG_LEVEL_FILE
  return readConfig({ ...others, ROLES: 'api', ...(!isLevelGiven && { LOG_LEVEL: 'error' }) })
}
