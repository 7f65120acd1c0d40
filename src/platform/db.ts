import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Database } from '../database.ts'
import { DomainError } from './errors.ts'
import { refuseInsideTransaction } from './inside.ts'

export type Connections = {
  db: Kysely<Database>
  pool: pg.Pool
  close(): Promise<void>
}

const statementMaxMs = 8000
/** A server that is well answers or cancels before this; one that does not is frozen, or its network is. */
const answerMaxMs = statementMaxMs + 1500

/** `timestamptz` is a Date; `date` stays the text `2026-01-31` (a Date would shift it by the zone); `bigint` stays text. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.DATE
      ? (text: string) => text
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** Opens the pool. Statements are prepared by name on each connection: parsing and planning once is half of a short query's cost. */
export function openDatabase(config: pg.PoolConfig, onIdleError: (error: Error) => void): Connections {
  const pool = new pg.Pool({
    max: 12,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    // Longer than any statement of ours runs: long work goes in pages. A lock nobody releases holds no request for ever.
    statement_timeout: statementMaxMs,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'posthorn',
    ...config,
    types,
  })
  // Without a listener a restart of the database would end the process.
  pool.on('error', onIdleError)
  // So would one lost in the middle of a statement, whose caller is told anyway.
  pool.on('connect', (client) => client.on('error', () => undefined))
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

/** The same connection, with every statement sent by name. */
export function preparing(client: pg.PoolClient): PostgresPoolClient {
  const query = async (text: string, values: readonly unknown[]) => {
    const name = statementName(text)
    return answered(client, client.query({ ...(name && { name }), text, values: values as unknown[] }))
  }
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() }
}

/** The answer of a statement, or the end of a connection that has fallen silent: its callers are told that the database is gone. */
export async function answered<T>(client: pg.PoolClient, answer: Promise<T>): Promise<T> {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  const timer = setTimeout(() => connection.stream.destroy(), answerMaxMs)
  return answer.finally(() => clearTimeout(timer))
}

const names = new Map<string, string>()
/** Statements differ by code path, not by data, so a few hundred exist; past this bound they go unnamed. */
const namesMax = 2000

function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= namesMax) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  names.set(text, name)
  return name
}

const goneCodes = /^(08...|55000|57014|57P0[1-5]|53300|ECONN(REFUSED|RESET)|EPIPE|ENOENT|ETIMEDOUT)$/
/** The driver's own words, as a whole: they may stand inside of what somebody else says. */
const goneMessages =
  /^(timeout exceeded when trying to connect|Connection terminated( unexpectedly| due to connection timeout)?|Query read timeout|Client .* not queryable)$/

/** True where the database is out of reach or going down, as opposed to a fault in what it was asked. */
export function isDatabaseGone(error: unknown): boolean {
  if (error instanceof DomainError) return false
  const { code, message, syscall } = error as { code?: string; message?: string; syscall?: string }
  if (code === 'ENOENT') return syscall === 'connect'
  return goneCodes.test(code ?? '') || goneMessages.test(message ?? '')
}
