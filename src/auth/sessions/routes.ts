import { type Route, routesOf } from '../../platform/http/route.ts'
import { Deleted, ListQuery } from '../../platform/http/schema/schema.ts'
import { everybody } from '../../teams/roles/roles.ts'
import { browserSessionRoutes } from '../browser-sessions/routes.ts'
import { endSession } from './end.ts'
import { listSessions } from './list.ts'
import { reauthenticate } from './reauthenticate.ts'
import { Proof, Reauthenticated, SessionList } from './schema.ts'

const route = routesOf({ access: 'user', tag: 'User auth' }, { roles: everybody, changes: 'account' })

export const sessionRoutes: Route[] = [
  ...browserSessionRoutes,
  route('GET /auth/sessions', 'listSessions', {
    forSetup: true,
    summary: 'List your sessions',
    description:
      'The logins of the signed-in user that have not ended, in all teams, newest first. `lastSeenAt` is exact to a minute.',
    query: ListQuery,
    response: SessionList,
    handle: ({ app, caller, query }) => listSessions(app, caller, query),
  }),
  route('DELETE /auth/sessions/:id', 'endOtherSession', {
    forSetup: true,
    summary: 'End a session',
    description: 'Its access token, refresh token and cookie are refused from the next request on.',
    response: Deleted,
    handle: ({ app, caller, params }) => endSession(app, caller, params.id),
  }),
  route('POST /auth/reauthenticate', 'reauthenticate', {
    forSetup: true,
    summary: 'Give the password or a code again',
    description:
      'Takes exactly one of `password` and `code`, which stands for 15 minutes in this session, like a new login. Requests ' +
      'that need one that is not older say so, and are 403 `reauthentication_required` else. A wrong one is 400 `invalid_password` or `invalid_two_factor_code`; five wrong ones ' +
      'of a session in 15 minutes are 429.',
    body: Proof,
    response: Reauthenticated,
    refusalNames: { invalid: ['invalid_password', 'invalid_two_factor_code'] },
    handle: ({ app, caller, body }) => reauthenticate(app, caller, body),
  }),
]
