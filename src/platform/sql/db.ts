import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../../database.ts'
import { DomainError } from '../errors.ts'
import { NameError } from '../names/ask-dns.ts'
import { parseExactly, parseJsonb } from '../numbers/exact-number.ts'
import { refuseInsideTransaction } from '../transaction/inside.ts'
import { answerMaxMs, beginSession } from './begin-session.ts'

export type Connections = {
  db: Kysely<Database>
  pool: pg.Pool
  /** The last time at which the server could not take a write; null if it always could. */
  lastRefusal(): Refusal | null
  close(): Promise<void>
}

/** The SQLSTATE of a write on a server that became read-only, such as a primary that was demoted by a switchover. */
const readOnlyCode = '25006'

/** Why the server could not take a write, as the end of a sentence, and when, by `performance.now()`. */
export type Refusal = { cause: string; at: number }

/** The SQLSTATEs of a server that is there and cannot take a write now. */
const refusedWrites = new Map([
  ['53100', "the database's disk is full"],
  ['53200', 'the database is out of memory'],
  ['58030', 'the database cannot read or write its files'],
])

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
  let last: Refusal | null = null
  pool.on('connect', (client) => {
    noteRefusals.set(client, (refusal) => {
      last = refusal
    })
  })
  pool.on('release', (error: unknown) => {
    if (isReadOnly(error)) dropIdleConnections(pool)
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: guardedPool(pool) }) })
  return { db, pool, lastRefusal: () => last, close: () => db.destroy() }
}

function guardedPool(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      refuseInsideTransaction('A query on the pool')
      return preparing(await pool.connect())
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

const preparingOf = new WeakMap<pg.PoolClient, PostgresPoolClient>()

/**
 * Returns the connection with every statement sent by name. It is closed on release if the server refused a write. Made
 * once for each connection, because Kysely keeps an object of its own for each one that it is given.
 */
function preparing(client: pg.PoolClient): PostgresPoolClient {
  const made = preparingOf.get(client) ?? prepare(client)
  preparingOf.set(client, made)
  return made
}

function prepare(client: pg.PoolClient): PostgresPoolClient {
  let refusal: Error | undefined
  const query = async (text: string, values: readonly unknown[]) =>
    answered(client, client.query(named(text, values))).catch((error) => {
      if (isReadOnly(error)) refusal = error
      throw error
    })
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release(refusal) }
}

type Stream = { destroy(): void; cork(): void; uncork(): void; writableCorked: number }

function streamOf(client: pg.PoolClient): Stream {
  return (client as unknown as { connection: { stream: Stream } }).connection.stream
}

const noteRefusals = new WeakMap<pg.PoolClient, (refusal: Refusal) => void>()

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
    const cause = causeOfRefusal(error)
    if (cause !== null) noteRefusals.get(client)?.({ cause, at: performance.now() })
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

const goneCodes =
  /^(08...|25006|55000|57014|57P0[1-5]|53300|ECONN(REFUSED|RESET)|E(HOST|NET)UNREACH|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN)$/
/** The driver's messages, compared as a whole, since other errors may quote them. */
const goneMessages =
  /^(timeout exceeded when trying to connect|Connection terminated( unexpectedly| due to connection timeout)?|Query read timeout|Client .* not queryable)$/

/** Returns why the server could not take a write, as the end of a sentence; null for any other error. */
export function causeOfRefusal(error: unknown): string | null {
  return refusedWrites.get((error as { code?: string }).code ?? '') ?? null
}

/**
 * True if the database is out of reach, going down, read-only or cannot take a write, as opposed to a fault in the
 * statement.
 */
export function isDatabaseGone(error: unknown): boolean {
  if (error instanceof DomainError || error instanceof NameError) return false
  const { code, message, syscall } = error as { code?: string; message?: string; syscall?: string }
  if (code === 'ENOENT') return syscall === 'connect'
  return goneCodes.test(code ?? '') || refusedWrites.has(code ?? '') || goneMessages.test(message ?? '')
}

/** True if a server that is read-only refused a write. */
export function isReadOnly(error: unknown): error is Error {
  return error instanceof Error && (error as { code?: string }).code === readOnlyCode
}

/** Describes an error for which `isDatabaseGone` is true, for the log and for callers. */
export function describeGone(error: unknown): { forLog: string; forCallers: string } {
  const cause = causeOfRefusal(error)
  return cause === null
    ? {
        forLog: 'database out of reach',
        forCallers: 'The database cannot be reached at the moment. Try again shortly.',
      }
    : { forLog: cause, forCallers: 'The database cannot take a write at the moment. Try again shortly.' }
}
