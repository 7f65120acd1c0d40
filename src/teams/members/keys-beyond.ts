import { sql } from 'kysely'
import type { Role, Tx } from '../../context.ts'

export type KeyBeyond = { id: string; name: string; permission: 'full_access' | 'sending_access' }

/** The most keys that a team may have on any plan. */
const keysMax = 5000

/**
 * Lists the API keys that a member made and that may do more than the role of the member from now on, null for none:
 * newest first, with those that these keys made in turn, and without expired ones. Owners and admins may do what keys
 * may, and a developer what `sending_access` may.
 */
export async function listKeysBeyond(
  tx: Tx,
  { teamId, userId, role }: { teamId: string; userId: string; role: Role | null },
): Promise<KeyBeyond[]> {
  if (role === 'owner' || role === 'admin') return []
  const { rows } = await sql<KeyBeyond>`
    with recursive made as (
      select id from api_keys where team_id = ${teamId} and created_by_type = 'user' and created_by_id = ${userId}
      union
      select key.id from api_keys as key join made on key.created_by_type = 'api_key' and key.created_by_id = made.id
      where key.team_id = ${teamId}
    )
    select id, name, permission from api_keys
    where team_id = ${teamId} and id in (select id from made)
      and (permission = 'full_access' or ${role !== 'developer'})
      and (expires_at is null or expires_at > ${tx.now})
    order by id desc limit ${keysMax}
  `.execute(tx.db)
  return rows
}
