import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'

/**
 * Deletes all keys of teams in which the user is the only member. In other teams it deletes the keys that the user
 * made, and those that these keys made.
 */
export async function deleteKeysOfPerson(tx: Tx, userId: string): Promise<void> {
  const { rows } = await sql<{ teamId: string; id: string; name: string }>`
    with recursive
      own as (
        select team_id, not exists (
          select from team_members as other where other.team_id = member.team_id and other.user_id <> member.user_id
        ) as is_alone
        from team_members as member where user_id = ${userId}
      ),
      doomed as (
        select key.team_id, key.id from api_keys as key left join own on own.team_id = key.team_id
        where own.is_alone or (key.created_by_type = 'user' and key.created_by_id = ${userId})
        union
        select key.team_id, key.id from api_keys as key join doomed on doomed.team_id = key.team_id
          and key.created_by_type = 'api_key' and key.created_by_id = doomed.id
      )
    delete from api_keys using doomed where api_keys.team_id = doomed.team_id and api_keys.id = doomed.id
    returning api_keys.team_id as "teamId", api_keys.id, api_keys.name
  `.execute(tx.db)
  for (const { teamId, ...key } of rows) {
    await recordChange(tx, { teamId, action: 'api_key.deleted', target: { type: 'api_key', ...key } })
  }
}
