import { resolve } from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from './context.ts'
import { feedOrderKeeper } from './feed/keep-order.ts'
import { ensureDataFolder } from './platform/data-folder.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres/start.ts'
import { ConfigError } from './platform/environment/read.ts'
import { migrate } from './platform/migrate/migrate.ts'
import { type Connections, openDatabase } from './platform/sql/db.ts'
import { explainRefusal } from './platform/sql/explain-database.ts'
import { refuseTransactionPooler } from './platform/sql/refuse-pooler.ts'

type Order = ReturnType<typeof feedOrderKeeper>

export type Storage = {
  connections: Connections
  connection: pg.ClientConfig
  /** The migrations that this start ran: all of them on an empty database. */
  migrated: string[]
  isEmbedded: boolean
  dataDir: string
  close(): Promise<void>
}

/** Opens and migrates the database: the server of `DATABASE_URL`, or the embedded one, which is started or adopted. */
export async function openStorage(config: Config, log: Logger): Promise<Storage> {
  const dataDir = resolve(config.dataDir)
  if (config.databaseUrl === null) ensureDataFolder(dataDir)
  const embedded =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir, log }).catch((error) => refuseFullDisk(error, dataDir))
      : null
  const connection: pg.ClientConfig = embedded ? embedded.connection() : { connectionString: config.databaseUrl! }
  const order = feedOrderKeeper()
  const onIdleError = (error: Error) => {
    log.warn({ err: error }, 'a database connection was lost')
    embedded
      ?.ensureRunning()
      .catch((failure) => log.error({ err: failure }, 'the embedded database cannot be started again'))
  }
  const connections = openDatabase(connection, onIdleError, order.check)
  try {
    const client = await connect(connections, config)
    const migrated = await prepare(connections, client, config, order).finally(() => client.release(true))
    const close = async () => {
      await connections.close()
      await embedded?.stop()
    }
    return { connections, connection, migrated, isEmbedded: embedded !== null, dataDir, close }
  } catch (error) {
    await connections.close().catch(() => undefined)
    await embedded?.stop()
    throw error
  }
}

function refuseFullDisk(error: NodeJS.ErrnoException, dataDir: string): never {
  throw error.code === 'ENOSPC'
    ? new ConfigError(`DATA_DIR ${dataDir} is on a disk that is full: ${error.message}`)
    : error
}

/** Refuses a database that cannot be used, and migrates it. */
async function prepare(
  { pool }: Connections,
  client: pg.PoolClient,
  { databaseUrl }: Config,
  order: Order,
): Promise<string[]> {
  if (!databaseUrl) return bringUp(client, order)
  await refuseTransactionPooler(pool, client)
  return bringUp(client, order).catch(async (error) => {
    throw await explainRefusal(client, error)
  })
}

async function bringUp(client: pg.PoolClient, order: Order): Promise<string[]> {
  const migrated = await migrate(client)
  await order.begin(client)
  return migrated
}

async function connect({ pool }: Connections, { databaseUrl }: Config): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    // The driver's message names host and user, not the password.
    if (databaseUrl)
      throw new ConfigError(
        `DATABASE_URL must be a PostgreSQL server that accepts this login: ${(error as Error).message}${adviceOn(error)}`,
      )
    throw error
  }
}

/** Node's errors of certificates, of which it has two dozen, hold one of these words. */
function adviceOn(error: unknown): string {
  const { code = '' } = error as { code?: string }
  if (!/CERT|SIGNATURE/.test(code)) return ''
  return '. Name the authority of its certificate with sslrootcert=FILE.pem in the URL, or check nothing with sslmode=no-verify.'
}
