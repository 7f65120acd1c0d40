import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Database } from '../../database.ts'
import { parseExactly, parseJsonb } from '../numbers/exact-number.ts'
import { refuseInsideTransaction } from '../transaction/inside.ts'
import { answered, onRefusedWrite } from './answered.ts'
import { beginSession } from './begin-session.ts'
import { isReadOnly, type RefusedWrite } from './gone.ts'
import { named } from './named.ts'

export type Connections = {
  db: Kysely<Database>
  pool: pg.Pool
  /** The last time at which the server could not take a write; null if it always could. */
  lastRefusedWrite(): RefusedWrite | null
  close(): Promise<void>
}

const { DATE, JSON: json, JSONB: jsonb } = pg.types.builtins
const parsers = new Map<number, (text: string) => unknown>([
  [DATE, (text) => text],
  [json, parseExactly],
  [jsonb, parseJsonb],
])

/**
 * `timestamptz` becomes a Date. `date` stays text (a Date would shift it by the zone), and so does `bigint`. JSON keeps
 * the digits of its numbers.
 */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/**
 * Opens the pool. Statements are prepared by name on each connection: parsing and planning are half of a short query's
 * cost. `check` may refuse a new connection by throwing.
 */
export function openDatabase(
  config: pg.PoolConfig,
  onIdleError: (error: Error) => void,
  check?: (client: pg.ClientBase) => Promise<void>,
): Connections {
  const pool = new pg.Pool({
    max: 12,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    onConnect: async (client) => {
      await beginSession(client)
      await check?.(client)
    },
    application_name: 'posthorn',
    // Statements of a transaction are written without waiting for the answers to earlier ones.
    pipeline: true,
    ...config,
    types,
  })
  // Without a listener, a connection that is lost while idle would end the process.
  pool.on('error', onIdleError)
  // The same for a connection that is lost during a statement. The caller of the statement gets the error.
  pool.on('connect', (client) => client.on('error', () => undefined))
  let last: RefusedWrite | null = null
  const note = (refused: RefusedWrite) => {
    last = refused
  }
  pool.on('connect', (client) => onRefusedWrite(client, note))
  pool.on('release', (error: unknown) => {
    if (isReadOnly(error)) dropIdleConnections(pool)
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: guardedPool(pool) }) })
  return { db, pool, lastRefusedWrite: () => last, close: () => db.destroy() }
}

function guardedPool(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      refuseInsideTransaction('A query on the pool')
      return namingConnectionOf(await pool.connect())
    },
    end: () => pool.end(),
    options: {},
  }
}

/** Drops the idle connections, which stay on the read-only server. New ones reach the server that accepts writes. */
function dropIdleConnections(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left--) {
    pool.connect().then(
      (client) => client.release(true),
      () => undefined,
    )
  }
}

const namingConnections = new WeakMap<pg.PoolClient, PostgresPoolClient>()

/**
 * Returns the connection with every statement sent by name. It is closed on release if the server is read-only. Made
 * once for each connection, because Kysely keeps an object of its own for each one that it is given.
 */
function namingConnectionOf(client: pg.PoolClient): PostgresPoolClient {
  const made = namingConnections.get(client) ?? makeNamingConnection(client)
  namingConnections.set(client, made)
  return made
}

function makeNamingConnection(client: pg.PoolClient): PostgresPoolClient {
  let readOnlyError: Error | undefined
  const query = async (text: string, values: readonly unknown[]) =>
    answered(client, client.query(named(text, values))).catch((error) => {
      if (isReadOnly(error)) readOnlyError = error
      throw error
    })
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release(readOnlyError) }
}
