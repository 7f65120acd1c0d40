import type { Caller, Tx } from '../context.ts'

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
