import assert from 'node:assert/strict'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import type { Statement, Tx } from '../../context.ts'
import type { Database } from '../../database.ts'
import { answered } from '../sql/answered.ts'
import { inOneWrite, queryWithBegin } from '../sql/driver.ts'
import { named } from '../sql/named.ts'

/** The statement was skipped, since an earlier one of the transaction had failed. */
const skippedCode = '25P02'

/** A transaction on one connection. It begins with its first statement. */
type UnitOfWork = Pick<Tx, 'db' | 'send' | 'withCommit'> & {
  commit(): Promise<void>
  /** Resolves to false if the connection cannot be used again. */
  rollback(): Promise<boolean>
  /**
   * Returns the error of the statement that failed, if `error` says only that a later one was skipped; else `error`.
   */
  causeOf(error: unknown): unknown
}

export function openUnitOfWork(client: pg.PoolClient): UnitOfWork {
  const parts: Promise<unknown>[] = []
  let state: 'unbegun' | 'open' | 'ended' = 'unbegun'
  let failure: unknown

  async function query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    assert(state !== 'ended', 'A statement after its transaction has ended')
    inOneWrite(client)
    const begins = state === 'unbegun'
    state = 'open'
    const config = named(text, values)
    const answer = answered(client, begins ? queryWithBegin(client, config) : client.query(config))
    return answer.catch((error) => {
      failure ??= error
      throw error
    })
  }

  const unit: UnitOfWork = {
    db: boundTo(query),
    send<R>(statement: Statement<R>) {
      const { sql, parameters } = statement.compile(unit.db)
      const rows = query(sql, parameters).then((result) => result.rows as R[])
      unit.withCommit(rows)
      return rows
    },
    withCommit(part) {
      part.catch((error) => {
        failure ??= error
      })
      parts.push(part)
    },
    async commit() {
      // A part that failed before it sent its statement does not fail the transaction on the server.
      if (failure !== undefined) throw failure
      const isEmpty = state === 'unbegun'
      state = 'ended'
      // Goes in one write with the statements of this turn.
      const commit = isEmpty ? undefined : answered(client, client.query('commit'))
      const [committed, ...partResults] = await Promise.allSettled([commit, ...parts])
      if (committed.status === 'rejected') throw failure ?? committed.reason
      // A transaction in which a statement failed answers ROLLBACK.
      const { command = 'COMMIT' } = committed.value ?? {}
      if (command !== 'COMMIT') throw failure ?? new Error(`The transaction ended with ${command}.`)
      // COMMIT succeeded. A part failed all the same, as when it sent a statement after COMMIT.
      for (const result of partResults) if (result.status === 'rejected') throw result.reason
    },
    async rollback() {
      const isEmpty = state === 'unbegun'
      state = 'ended'
      if (isEmpty) return true
      return answered(client, client.query('rollback')).then(
        () => true,
        () => false,
      )
    },
    causeOf: (error) => ((error as { code?: string }).code === skippedCode ? (failure ?? error) : error),
  }
  return unit
}

const changes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
const [compiler, adapter] = [new PostgresQueryCompiler(), new PostgresAdapter()]
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('A unit of work has one connection')) })
const shared = { config: { dialect }, dialect, driver: dialect.createDriver() }

/**
 * Returns Kysely on the connection of a unit of work. It is made of parts that all units share, because a dialect and a
 * driver of its own would cost each unit more than a statement does.
 */
function boundTo(query: (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>): Kysely<Database> {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { command, rowCount, rows } = await query(sql, parameters)
      return { rows, ...(changes.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) }
    },
    streamQuery() {
      throw new Error('A unit of work reads no cursor')
    },
  }
  const executor = new DefaultQueryExecutor(compiler, adapter, { provideConnection: (use) => use(connection) })
  return new Kysely<Database>({ ...shared, executor })
}
