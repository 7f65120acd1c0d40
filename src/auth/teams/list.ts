import type { App, Caller } from '../../context.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'

/** Lists a page of the teams that the user is a member of, newest first, with the user's role in each. */
export function listOwnTeams(app: App, { id: userId }: Caller, query: PageQuery) {
  const rows = app.db
    .selectFrom('team_members as member')
    .innerJoin('teams as team', 'team.id', 'member.team_id')
    .select(['team.id', 'team.name', 'team.plan', 'member.role'])
    .where('member.user_id', '=', userId)
  return readPage(app, { list: 'teams', teamId: userId }, query, rows)
}
