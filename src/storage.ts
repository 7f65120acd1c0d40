import { resolve } from 'node:path'
import pg from 'pg'
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
import { systemClock } from './platform/time/clock.ts'

type Order = ReturnType<typeof feedOrderKeeper>

export type Storage = {
  connections: Connections
  connection: pg.ClientConfig
  /** The migrations that this start ran: all of them on an empty database. */
  migrated: string[]
  isEmbedded: boolean
  /** No process that used the database before this time still runs. Null if that is not known. */
  unusedBefore: Date | null
  dataDir: string
  close(): Promise<void>
}

/** Opens and migrates the database: the server of `DATABASE_URL`, or the embedded one, which is started or adopted. */
export async function openStorage(config: Config, log: Logger): Promise<Storage> {
  const order = feedOrderKeeper()
  const opened = await openUnmigrated(config, log, order.check)
  try {
    const client = await reach(config, () => opened.connections.pool.connect())
    const migrated = await prepare(opened.connections, client, config, order).finally(() => client.release(true))
    return { ...opened, migrated }
  } catch (error) {
    await opened.close().catch(() => undefined)
    throw error
  }
}

/** Opens the database as it is, without a connection to one by `DATABASE_URL` yet. `check` asks each new one. */
async function openUnmigrated(config: Config, log: Logger, check?: Order['check']): Promise<Omit<Storage, 'migrated'>> {
  const dataDir = resolve(config.dataDir)
  const openedAt = systemClock().now()
  if (config.databaseUrl === null) ensureDataFolder(dataDir)
  const embedded =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir, log }).catch((error) => refuseFullDisk(error, dataDir))
      : null
  const connection: pg.ClientConfig = embedded ? embedded.connection() : { connectionString: config.databaseUrl! }
  const onIdleError = (error: Error) => {
    log.warn({ err: error }, 'a database connection was lost')
    embedded
      ?.ensureRunning()
      .catch((failure) => log.error({ err: failure }, 'the embedded database cannot be started again'))
  }
  const connections = openDatabase(connection, onIdleError, check)
  const close = async () => {
    await connections.close()
    await embedded?.stop()
  }
  const unusedBefore = embedded?.isAlone ? openedAt : null
  return { connections, connection, isEmbedded: embedded !== null, unusedBefore, dataDir, close }
}

/** As long as the connections of the pool may take. */
const connectMaxMs = 5000

/** Runs `work` on a connection of its own to the database as it is. Nothing is migrated. */
export async function withDatabase<T>(
  config: Config,
  log: Logger,
  work: (client: pg.Client, dataDir: string) => Promise<T>,
): Promise<T> {
  const opened = await openUnmigrated(config, log)
  const client = new pg.Client({
    ...opened.connection,
    application_name: 'posthorn command',
    connectionTimeoutMillis: connectMaxMs,
  })
  // Without a listener the error would end the process. The statement that waits for an answer throws it too.
  client.on('error', () => undefined)
  try {
    await reach(config, () => client.connect())
    await client.query(settings)
    return await work(client, opened.dataDir)
  } finally {
    await client.end().catch(() => undefined)
    await opened.close()
  }
}

/** The forms that the driver reads, and no bounds: a statement may read a whole table. */
const settings = `
  set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set lock_timeout = 0`

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

async function reach<T>({ databaseUrl }: Config, connect: () => Promise<T>): Promise<T> {
  try {
    return await connect()
  } catch (error) {
    // The driver's message names host and user, not the password.
    if (databaseUrl)
      throw new ConfigError(
        `DATABASE_URL must be a PostgreSQL server that accepts this login: ${wordsOf(error)}${adviceOn(error)}`,
      )
    throw error
  }
}

/** A name that has several addresses fails with several errors, whose own message is empty. */
function wordsOf(error: unknown): string {
  const { message, errors = [] } = error as Partial<AggregateError>
  return message || errors.map((one: Error) => one.message).join('; ') || String(error)
}

/** Node's errors of certificates, of which it has two dozen, hold one of these words. */
function adviceOn(error: unknown): string {
  const { code = '' } = error as { code?: string }
  if (!/CERT|SIGNATURE/.test(code)) return ''
  return '. Name the authority of its certificate with sslrootcert=FILE.pem in the URL, or check nothing with sslmode=no-verify.'
}
