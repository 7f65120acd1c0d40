import type pg from 'pg'
import { ConfigError } from '../environment/read.ts'

/** A pooler that other processes use too may give a connection the same backend again by chance. */
const attempts = 5

/**
 * Throws if a pooler lends a backend for a transaction or a statement only. Prepared statements, LISTEN, locks of the
 * session and its settings would get lost. `client` is a connection of the pool.
 */
export async function refuseTransactionPooler(pool: pg.Pool, client: pg.ClientBase): Promise<void> {
  // There is none if others hold all but one connection of the server.
  const other = await pool.connect().catch(() => null)
  if (other === null) return
  try {
    for (let attempt = 1; attempt <= attempts; attempt++) if (await sharesBackends(client, other)) refuse()
  } catch (error) {
    throw /statement pooling/.test((error as Error).message) ? refuse() : error
  } finally {
    other.release(true)
  }
}

function refuse(): never {
  throw new ConfigError(
    'DATABASE_URL must lead to PostgreSQL directly or through a pooler in session mode; this pooler pools transactions or statements. With PgBouncer, set pool_mode = session for this database.',
  )
}

/** True if the backend of `client` is lent to a transaction of `other`. */
async function sharesBackends(client: pg.ClientBase, other: pg.ClientBase): Promise<boolean> {
  const own = await backendOf(client)
  await other.query('begin')
  const lent = await backendOf(other)
  // Compared first: in a pool with one backend, `client` would wait for the transaction.
  const isShared = lent === own || (await backendOf(client)) !== own
  await other.query('rollback')
  return isShared
}

async function backendOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return rows[0].pid
}
