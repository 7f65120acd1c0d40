import { type Route, routesOf } from '../../platform/http/route.ts'
import { ListQueryOf, Page } from '../../platform/http/schema/schema.ts'
import { everybody } from '../../teams/roles/roles.ts'
import { renewSessionCookie } from '../browser-sessions/cookie.ts'
import { SessionOrMe } from '../schema.ts'
import { createTeamOfUser } from './create.ts'
import { listOwnTeams } from './list.ts'
import { NewTeam, OwnTeam, TeamChoice } from './schema.ts'
import { switchTeam } from './switch.ts'

const route = routesOf({ access: 'user', tag: 'User auth' }, { roles: everybody, changes: 'account' })

export const ownTeamRoutes: Route[] = [
  route('GET /auth/teams', 'listMyTeams', {
    forSetup: true,
    summary: 'List the own teams',
    description: 'The teams that the user is a member of, newest first, with the role in each.',
    query: ListQueryOf({}),
    response: Page(OwnTeam),
    handle: ({ app, caller, query }) => listOwnTeams(app, caller, query),
  }),
  route('POST /auth/teams', 'createTeam', {
    summary: 'Create a team',
    description:
      'A new team on the free plan, whose owner is the user. The session stays in its team; `POST /auth/switch` enters the ' +
      'new one. A person may own ten teams, then 422 `team_limit_exceeded`. Where sign-up is closed, only the operator ' +
      'makes teams: 403 `signup_closed`.',
    body: NewTeam,
    response: OwnTeam,
    refusals: ['notFound'],
    refusalNames: { forbidden: ['signup_closed'], unprocessable: ['team_limit_exceeded'] },
    handle: ({ app, caller, body }) => createTeamOfUser(app, caller, body.name),
  }),
  route('POST /auth/switch', 'switchTeam', {
    forSetup: true,
    summary: 'Enter another own team',
    description:
      'Puts this login into the team, where it stays when it is refreshed. The new refresh token replaces the former one, as ' +
      'at `/auth/refresh`. Access tokens from before act for their team until they expire. A browser session gets no tokens: ' +
      'it keeps its cookie, and the answer is that of `GET /auth/me`. 404 for a team that the user is not a member of; ' +
      '409 for an access token whose login has become a browser session.',
    body: TeamChoice,
    response: SessionOrMe,
    refusals: ['notFound', 'conflict'],
    handle: ({ app, caller, body, request, reply }) => {
      renewSessionCookie(app, caller, request, reply)
      return switchTeam(app, caller, body.teamId)
    },
  }),
]
