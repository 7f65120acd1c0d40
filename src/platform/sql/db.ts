import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../../database.ts'
import { parseExactly, parseJsonb } from '../numbers/exact-number.ts'
import { refuseInsideTransaction } from '../transaction/inside.ts'
import { answerMaxMs, beginSession } from './begin-session.ts'
import { causeOfRefusedWrite, isReadOnly, type RefusedWrite } from './gone.ts'

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
  pool.on('connect', (client) => {
    refusedWriteListeners.set(client, (refused) => {
      last = refused
    })
  })
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

type Stream = { destroy(): void; cork(): void; uncork(): void; writableCorked: number }

function streamOf(client: pg.PoolClient): Stream {
  return (client as unknown as { connection: { stream: Stream } }).connection.stream
}

const refusedWriteListeners = new WeakMap<pg.PoolClient, (refused: RefusedWrite) => void>()

/** The number of answers that each connection owes, and the timer that closes it. */
const debts = new WeakMap<pg.PoolClient, { owed: number; timer: NodeJS.Timeout }>()

/**
 * Waits for the answer to a statement. Closes a connection that owes answers and gives none, so that the caller gets an
 * error. Each answer gives the next one the whole time, since the server runs one statement after the other.
 */
export async function answered<T>(client: pg.PoolClient, answer: Promise<T>): Promise<T> {
  const debt = debts.get(client) ?? { owed: 0, timer: setTimeout(() => streamOf(client).destroy(), answerMaxMs) }
  debts.set(client, debt)
  debt.owed++
  try {
    return await answer
  } catch (error) {
    const cause = causeOfRefusedWrite(error)
    if (cause !== null) refusedWriteListeners.get(client)?.({ cause, at: performance.now() })
    throw error
  } finally {
    if (--debt.owed > 0) debt.timer.refresh()
    else {
      clearTimeout(debt.timer)
      debts.delete(client)
    }
  }
}

/** Holds back what is written to the connection in this turn of the event loop, to write it at once. */
export function inOneWrite(client: pg.PoolClient): void {
  const stream = streamOf(client)
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Returns a statement with its name, under which a connection prepares it once. */
export function named(text: string, values: readonly unknown[]): pg.QueryConfig {
  const name = statementName(text)
  return { ...(name && { name }), text, values: values as unknown[] }
}

const names = new Map<string, string>()
/** Statements differ by code path, not by data, so a few hundred exist. Beyond this number they have no name. */
const namesMax = 2000

const eachTime = '/* planned each time */'
/**
 * Begins a statement that is planned each time, for the size that its tables have now. A plan that was prepared while a
 * table was small reads all of it for each batch, until the database analyzes it.
 */
export const plannedEachTime = sql.raw(eachTime)

function statementName(text: string): string | undefined {
  if (text.startsWith(eachTime)) return undefined
  const known = names.get(text)
  if (known !== undefined || names.size >= namesMax) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  names.set(text, name)
  return name
}
