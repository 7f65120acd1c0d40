import { sql } from 'kysely'
import type { Tx } from '../context.ts'

/**
 * Locks a contact against changes and deletion, unless others hold a lock of it, such as an import. Returns `locked`
 * then, and does not wait, so that requests for one contact do not each hold a connection.
 */
export async function lockFreeContact(
  tx: Tx,
  { teamId, id }: { teamId: string; id: string },
): Promise<'free' | 'locked' | 'missing'> {
  const isContact = sql`team_id = ${teamId} and id = ${id}`
  const free = await sql`select from contacts where ${isContact} for no key update skip locked`.execute(tx.db)
  if (free.rows.length === 1) return 'free'
  const found = await sql`select from contacts where ${isContact}`.execute(tx.db)
  return found.rows.length === 1 ? 'locked' : 'missing'
}
