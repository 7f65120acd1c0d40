import { type Route, routesOf } from '../../platform/http/route.ts'
import { ListQuery } from '../../platform/http/schema/schema.ts'
import { admins, everybody } from '../roles/roles.ts'
import { changeRole } from './change-role.ts'
import { listMembers } from './list.ts'
import { removeMember } from './remove.ts'
import { ChangedMember, MemberChanges, MemberList, MemberParams, RemovedMember } from './schema.ts'

const route = routesOf({ access: 'user', tag: 'Team' }, { changes: 'team/members' })

export const memberRoutes: Route[] = [
  route('GET /v1/team/members', 'listMembers', {
    summary: 'List the members',
    description: 'Those who joined last first.',
    query: ListQuery,
    response: MemberList,
    handle: ({ app, caller, query }) => listMembers(app, caller.teamId, query),
  }),
  route('PATCH /v1/team/members/:userId', 'updateMember', {
    roles: admins,
    asksAgain: 'if the member is or becomes an owner or admin',
    summary: 'Change a member’s role',
    description:
      'Applies from the member’s next request. For owners and admins; only owners make, lower or raise owners. The last ' +
      'owner cannot be lowered: 409. Invitations that the member made and may no longer make are revoked. `apiKeys` lists the keys that the ' +
      'member made and that may do more than the new role; they go on working.',
    params: MemberParams,
    body: MemberChanges,
    response: ChangedMember,
    refusals: ['conflict', 'notFound'],
    handle: ({ app, caller, params, body }) => changeRole(app, caller, params.userId, body.role),
  }),
  route('DELETE /v1/team/members/:userId', 'removeMember', {
    roles: everybody,
    asksAgain: 'if the member is an owner or admin',
    summary: 'Remove a member, or leave the team',
    description:
      'Every member may leave with the own id; others are removed by owners and admins, owners by owners only. The last owner ' +
      'cannot leave: 409. The member’s sessions in the team end at once, and the invitations that the member made are ' +
      'revoked. API keys that the member made stay, and `apiKeys` lists them.',
    params: MemberParams,
    response: RemovedMember,
    refusals: ['conflict', 'notFound'],
    handle: ({ app, caller, params }) => removeMember(app, caller, params.userId),
  }),
]
