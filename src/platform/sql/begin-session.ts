import type pg from 'pg'

const statementMaxMs = 8000
/** A healthy server answers or cancels a statement before this. Otherwise the server or its network has frozen. */
export const answerMaxMs = statementMaxMs + 1500

/** The settings that the code relies on. The database or the role may have other defaults. */
const settings = {
  default_transaction_isolation: 'read committed',
  // The forms that the driver reads.
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  standard_conforming_strings: 'on',
  // Longer than our statements run, since long work is done in pages. Ends requests that wait for a lock.
  statement_timeout: String(statementMaxMs),
  idle_in_transaction_session_timeout: '60000',
}

const text = Object.entries(settings)
  .map(([name, value]) => `set ${name} = '${value}'`)
  .join('; ')

/**
 * Sends the first statement of a connection, which sets what the code relies on. The start-up packet
 * cannot set it, since poolers refuse parameters there that they do not know.
 */
export async function beginSession(client: pg.ClientBase): Promise<void> {
  await client.query({ text, query_timeout: answerMaxMs } as pg.QueryConfig)
}
