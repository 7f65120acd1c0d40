import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database.ts'
import { DomainError } from './errors.ts'
import { refuseInsideTransaction } from './inside.ts'
import { NameError } from './names/ask-dns.ts'

export type Connections = {
  db: Kysely<Database>
  pool: pg.Pool
  close(): Promise<void>
}

const statementMaxMs = 8000
/** A healthy server answers or cancels a statement before this. Otherwise the server or its network has frozen. */
const answerMaxMs = statementMaxMs + 1500
/** The SQLSTATE of a write on a server that became read-only, such as a primary that was demoted by a switchover. */
const readOnlyCode = '25006'

/** `timestamptz` becomes a Date. `date` stays text (a Date would shift it by the zone), and so does `bigint`. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.DATE
      ? (text: string) => text
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** Opens the pool. Statements are prepared by name on each connection: parsing and planning are half of a short query's cost. */
export function openDatabase(config: pg.PoolConfig, onIdleError: (error: Error) => void): Connections {
  const pool = new pg.Pool({
    max: 12,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    // Longer than our statements run, since long work is done in pages. Ends requests that wait for a lock.
    statement_timeout: statementMaxMs,
    idle_in_transaction_session_timeout: 60_000,
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
  pool.on('release', (error: unknown) => {
    if (isReadOnly(error)) dropIdleConnections(pool)
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: guardedPool(pool) }) })
  return { db, pool, close: () => db.destroy() }
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

/** Returns the connection with every statement sent by name. It is closed on release if the server refused a write. */
function preparing(client: pg.PoolClient): PostgresPoolClient {
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

/** The number of answers that each connection owes, and the timer that closes it. */
const debts = new WeakMap<pg.PoolClient, { owed: number; timer: NodeJS.Timeout }>()

/**
 * Waits for the answer to a statement. Closes a connection that owes answers and gives none, so that the caller gets an error.
 * Each answer gives the next one the whole time, since the server runs one statement after the other.
 */
export async function answered<T>(client: pg.PoolClient, answer: Promise<T>): Promise<T> {
  const debt = debts.get(client) ?? { owed: 0, timer: setTimeout(() => streamOf(client).destroy(), answerMaxMs) }
  debts.set(client, debt)
  debt.owed++
  return answer.finally(() => {
    debt.owed--
    if (debt.owed > 0) return void debt.timer.refresh()
    clearTimeout(debt.timer)
    debts.delete(client)
  })
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
 * Begins a statement that is planned each time, for the size that its tables have now. A plan that was prepared while a table
 * was small reads all of it for each batch, until the database analyzes it.
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

/** True if the database is out of reach, going down, or read-only, as opposed to a fault in the statement. */
export function isDatabaseGone(error: unknown): boolean {
  if (error instanceof DomainError || error instanceof NameError) return false
  const { code, message, syscall } = error as { code?: string; message?: string; syscall?: string }
  if (code === 'ENOENT') return syscall === 'connect'
  return goneCodes.test(code ?? '') || goneMessages.test(message ?? '')
}

/** True if a server that is read-only refused a write. */
export function isReadOnly(error: unknown): error is Error {
  return error instanceof Error && (error as { code?: string }).code === readOnlyCode
}
