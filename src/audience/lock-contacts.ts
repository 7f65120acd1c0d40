import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import { type FieldError, invalidFields } from '../platform/errors.ts'

/**
 * Locks contacts against changes and deletion until the unit of work ends. Returns the ids of those that exist. Locks
 * in the order of their addresses, as all statements that lock several contacts do.
 */
export async function lockContacts(tx: Tx, teamId: string, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from contacts where team_id = ${teamId} and id = any(${ids}::uuid[]) order by email_key for share
  `.execute(tx.db)
  return rows.map((row) => row.id)
}

/** Locks the `contactIds` of a request, each once. Throws `invalid` naming those that the team does not have. */
export async function lockNamedContacts(tx: Tx, teamId: string, contactIds: string[]): Promise<string[]> {
  const found = await lockContacts(tx, teamId, [...new Set(contactIds)])
  const known = new Set(found)
  const unknown: FieldError[] = contactIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `contactIds[${index}]`, message: `${id} is not a contact of this team` }],
  )
  if (unknown.length > 0) throw invalidFields(unknown)
  return found
}
