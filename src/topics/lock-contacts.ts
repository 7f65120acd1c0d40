import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import { type FieldError, invalidFields } from '../platform/errors.ts'

/**
 * Holds contacts as they are until the unit of work ends: they are neither deleted nor changed meanwhile. Gives the ids
 * of those that are there. In the order of their addresses, which everybody who locks several contacts keeps to.
 */
export async function lockContacts(tx: Tx, teamId: string, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from contacts where team_id = ${teamId} and id = any(${ids}::uuid[]) order by email_key for share
  `.execute(tx.db)
  return rows.map((row) => row.id)
}

/** The same for the `contactIds` of a request, each once; throws `invalid` naming those that the team does not have. */
export async function lockNamedContacts(tx: Tx, teamId: string, contactIds: string[]): Promise<string[]> {
  const wanted = contactIds.map((id) => id.toLowerCase())
  const found = await lockContacts(tx, teamId, [...new Set(wanted)])
  const known = new Set(found)
  const unknown: FieldError[] = wanted.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `contactIds[${index}]`, message: `${id} is not a contact of this team` }],
  )
  if (unknown.length > 0) throw invalidFields(unknown)
  return found
}
