import { sql } from 'kysely'
import type { Caller, Db, Tx } from '../context.ts'
import { liveTeamOf } from '../platform/mode/mode.ts'

/** The creator of a key. `id` is null for an operator's command. */
export type Creator = { type: 'user' | 'api_key' | 'operator'; id: string | null; name: string }

export const operator = (command: string): Creator => ({ type: 'operator', id: null, name: command })

/** Returns the caller with its current name: the user's name or address, or the key's name. */
export async function creatorOf(tx: Tx, { kind, id, teamId }: Caller): Promise<Creator> {
  const name = kind === 'user' ? await nameOfUser(tx, id) : await nameOfKey(tx, teamId, id)
  return { type: kind === 'user' ? 'user' : 'api_key', id, name: name ?? '' }
}

async function nameOfUser(tx: Tx, id: string): Promise<string | undefined> {
  const user = await tx.db.selectFrom('users').select(['name', 'email']).where('id', '=', id).executeTakeFirst()
  return user?.name ?? user?.email
}

async function nameOfKey(tx: Tx, teamId: string, id: string): Promise<string | undefined> {
  const key = await tx.db
    .selectFrom('api_keys')
    .select('name')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
  return key?.name
}

/** More keys that made one another than anybody has. */
const madeByKeysMax = 10

/**
 * Finds the person behind a caller: the user, or the one who made the key or the first of the keys that it was made by.
 * If that is not known, the owner of the team who joined first. Null for a team without owners.
 */
export async function findPersonOf(db: Db, { kind, id, teamId }: Caller): Promise<string | null> {
  if (kind === 'user') return id
  const team = liveTeamOf(teamId)
  const { rows } = await sql<{ id: string }>`
    with recursive maker (type, id, depth) as (
      select created_by_type, created_by_id, 1 from api_keys where team_id = ${team} and id = ${id}
      union all
      select key.created_by_type, key.created_by_id, depth + 1
      from maker join api_keys as key on maker.type = 'api_key' and key.team_id = ${team} and key.id = maker.id
      where depth < ${madeByKeysMax}
    )
    (select id from maker where type = 'user')
    union all
    (select user_id from team_members where team_id = ${team} and role = 'owner' order by created_at, user_id limit 1)
    limit 1
  `.execute(db)
  return rows[0]?.id ?? null
}
