import { sql } from 'kysely'
import type { Db, Role } from '../../context.ts'

export type Membership = { id: string; name: string; role: Role; otherOwners: number; otherMembers: number }

/** Lists the teams of a person by their ids, with the numbers of their other people. */
export async function listMemberships(db: Db, userId: string): Promise<Membership[]> {
  const others = sql`select count(*)::int from team_members as other
    where other.team_id = member.team_id and other.user_id <> member.user_id`
  return await db
    .selectFrom('team_members as member')
    .innerJoin('teams as team', 'team.id', 'member.team_id')
    .select(['team.id', 'team.name', 'member.role'])
    .select([
      sql<number>`(${others} and other.role = 'owner')`.as('otherOwners'),
      sql<number>`(${others})`.as('otherMembers'),
    ])
    .where('member.user_id', '=', userId)
    .orderBy('team.id')
    .execute()
}
