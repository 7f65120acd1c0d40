import pg from 'pg'
import type { Connection } from '../src/platform/embedded-postgres/connection.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/start.ts'
import { quiet } from './start-postgres.ts'

/** One statement, with its number of calls and its time in the database, of which `planMs` went into planning. */
export type Statement = { text: string; calls: number; ms: number; planMs: number }

/** The role that may load libraries and read all statistics. It has the password of ours. */
export function asSuperuser(connection: Connection): Connection {
  return { ...connection, user: 'postgres' }
}

/** Makes the cluster, and has it count statements from its next start on. Fails if the binaries lack the module. */
export async function prepareStatistics(dataDir: string): Promise<void> {
  const embedded = await startEmbeddedPostgres({ dataDir, log: quiet })
  const client = new pg.Client(asSuperuser(embedded.connection()))
  await client.connect()
  try {
    await client.query('create extension pg_stat_statements')
    await client.query('alter system set shared_preload_libraries = pg_stat_statements')
    await client.query('alter system set pg_stat_statements.track_planning = on')
  } finally {
    await client.end()
    await embedded.stop()
  }
}

/** Returns the statements of our role while `work` ran, and what it returned. */
export async function countStatements<T>(
  database: pg.Pool,
  work: () => Promise<T>,
): Promise<{ made: T; statements: Statement[] }> {
  await database.query('select pg_stat_statements_reset()')
  const made = await work()
  const { rows } = await database.query(`
    select trim(regexp_replace(query, '\\s+', ' ', 'g')) as text, calls::integer, total_exec_time + total_plan_time as ms,
      total_plan_time as "planMs"
    from pg_stat_statements
    where userid = 'posthorn'::regrole and calls > 0
    order by ms desc
  `)
  return { made, statements: rows }
}
