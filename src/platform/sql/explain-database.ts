import type pg from 'pg'
import { ConfigError } from '../environment/read.ts'
import { causeOfRefusedWrite } from './gone.ts'

/** The facts of a connection that the statement to mend it names. */
type Place = { role: string; database: string; owner: string; path: string; isStandby: boolean }

/**
 * Returns an error that names DATABASE_URL for what the database refused at the start, and says what mends it. Other
 * errors are returned as they are. `client` is the connection on which `error` occurred.
 */
export async function explainRefusal(client: pg.ClientBase, error: unknown): Promise<unknown> {
  const { message, cause } = error as Error
  const { code } = (cause ?? error) as { code?: string }
  const full = causeOfRefusedWrite(cause ?? error)
  if (full !== null) return new ConfigError(`DATABASE_URL must be a database that takes writes; ${full}: ${message}`)
  if (!['42501', '3F000', '25006'].includes(code ?? '')) return error
  const place = await findPlace(client).catch(() => null)
  return place === null ? error : new ConfigError(`DATABASE_URL must ${explain(code!, message, place, client)}`)
}

function explain(code: string, message: string, place: Place, client: pg.ClientBase): string {
  const [role, database] = [client.escapeIdentifier(place.role), client.escapeIdentifier(place.database)]
  if (code === '25006') {
    const remedy = place.isStandby
      ? 'it is a standby: name the primary'
      : `run: alter database ${database} reset default_transaction_read_only`
    return `be a database that takes writes; ${remedy} (${message})`
  }
  if (code === '3F000') {
    const remedy = /\bpublic\b/.test(place.path)
      ? `Run as a superuser: create schema if not exists public; grant all on schema public to ${role}`
      : `Run: alter role ${role} in database ${database} set search_path = public`
    return `give a schema for the tables; the role may use none of the search_path ${place.path}. ${remedy} (${message})`
  }
  if (/must be owner of/.test(message))
    return `name the role that owns the tables of Posthorn; ${role} does not (${message})`
  const remedy =
    place.owner === place.role ? `grant all on schema public to ${role}` : `alter database ${database} owner to ${role}`
  return `name a role that may create tables in its database, such as the owner. Run as a superuser: ${remedy} (${message})`
}

async function findPlace(client: pg.ClientBase): Promise<Place> {
  const { rows } = await client.query(`
    select current_user as role, current_database() as database, pg_get_userbyid(datdba) as owner,
      current_setting('search_path') as path, pg_is_in_recovery() as "isStandby"
    from pg_database where datname = current_database()`)
  return rows[0]
}
