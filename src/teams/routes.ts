import { orNotFound } from '../platform/errors.ts'
import { type Route, routesOf } from '../platform/http/route.ts'
import { Deleted } from '../platform/http/schema/schema.ts'
import { deleteTeam } from './delete/delete.ts'
import { findTeam } from './queries.ts'
import { admins, owners } from './roles/roles.ts'
import { Team, TeamChanges, TeamDeletion } from './schema.ts'
import { updateTeam } from './update.ts'

const route = routesOf({ access: 'user', tag: 'Team' }, { changes: 'team' })

export const teamRoutes: Route[] = [
  route('GET /v1/team', 'getTeam', {
    summary: 'Get the team',
    description: 'The team that the session is in.',
    response: Team,
    refusals: ['notFound'],
    handle: ({ app, caller }) => orNotFound('team', findTeam(app.db, caller.teamId)),
  }),
  route('PATCH /v1/team', 'updateTeam', {
    roles: admins,
    asksAgain: 'to switch `requireTwoFactor` off',
    summary: 'Rename the team, or require two-factor',
    description:
      'With `requireTwoFactor`, members without a second factor get 403 `two_factor_setup_required` until they set one up, ' +
      'from their next request. To switch it on you need a second factor yourself: 409 without one. API keys are not affected.',
    body: TeamChanges,
    response: Team,
    refusals: ['conflict', 'notFound'],
    handle: ({ app, caller, body }) => updateTeam(app, caller, body),
  }),
  route('DELETE /v1/team', 'deleteTeam', {
    roles: owners,
    asksAgain: true,
    summary: 'Delete the team',
    description:
      'For owners. Access, API keys, sessions, sends that wait, schedules ' +
      'and webhooks stop at once; the data is removed after that. It cannot be undone. 409 while a paid subscription lives.',
    body: TeamDeletion,
    response: Deleted,
    refusals: ['conflict', 'notFound'],
    handle: ({ app, caller, body }) => deleteTeam(app, caller, body.confirm),
  }),
]
