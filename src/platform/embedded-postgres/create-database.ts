import pg from 'pg'
import type { Connection } from './connection.ts'

/**
 * Creates the role and the database of Posthorn. As with a PostgreSQL given by URL, the role is not a superuser: it
 * owns its database, and may create databases (tests copy templates) and the trusted extensions. Several processes may
 * try at once.
 */
export async function createDatabase(connection: Connection): Promise<void> {
  const client = new pg.Client({
    ...connection,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: 5000,
    query_timeout: 30_000,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    const password = connection.password ? ` password ${client.escapeLiteral(connection.password)}` : ''
    await unlessThere(client.query(`create role ${connection.user} login createdb${password}`))
    await unlessThere(client.query(`create database ${connection.database} owner ${connection.user}`))
  } finally {
    await client.end().catch(() => {})
  }
}

/** The codes of a duplicate role, a duplicate database, and two concurrent creations. */
const alreadyThere = ['42710', '42P04', '23505']

async function unlessThere(creating: Promise<unknown>): Promise<void> {
  await creating.catch((error: { code?: string }) => {
    if (!alreadyThere.includes(error.code ?? '')) throw error
  })
}
