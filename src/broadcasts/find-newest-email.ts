import { sql } from 'kysely'
import type { Db } from '../context.ts'

/** A contact that got none of so many broadcasts has hardly an older one at hand. Bounds the look-up. */
const broadcastsMax = 200

/**
 * Returns the id of the newest broadcast email of a contact. Null if it got none of the newest `broadcastsMax`
 * broadcasts.
 */
export async function findNewestEmail(db: Db, teamId: string, contactId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select recipient.email_id as id
    from (
      select id from broadcasts where team_id = ${teamId} and status in ('sending', 'sent')
      order by id desc limit ${broadcastsMax}
    ) as broadcast
    cross join lateral (
      select email_id from broadcast_recipients
      where team_id = ${teamId} and broadcast_id = broadcast.id and contact_id = ${contactId} and email_id is not null
      limit 1
    ) as recipient
    order by broadcast.id desc limit 1
  `.execute(db)
  return rows[0]?.id ?? null
}
