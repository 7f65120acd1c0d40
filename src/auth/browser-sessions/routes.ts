import { type Route, routesOf } from '../../platform/http/route.ts'
import { everybody } from '../../teams/roles/roles.ts'
import { LoggedOut, Me, refreshBodyLimitBytes } from '../schema.ts'
import { endOwnSession } from '../sessions/end.ts'
import { noSessionCookie, readSessionCookie, sessionCookie } from './cookie.ts'
import { openBrowserSession } from './open.ts'
import { refuseForeignOrigin } from './refuse-origin.ts'
import { BrowserSessionRequest, SignInOptions } from './schema.ts'

const route = routesOf({ access: 'user', tag: 'User auth' }, { changes: 'account' })

export const browserSessionRoutes: Route[] = [
  route('POST /auth/session', 'openSession', {
    access: 'public',
    summary: 'Open a browser session',
    description:
      'Takes exactly one of `refreshToken` and `startToken`, which is used up, and sets an HttpOnly cookie in place of ' +
      'tokens: `__Host-posthorn` over https, `posthorn_<port>` over http. It ends 30 days after its last use, and with its ' +
      'login. Requests with the cookie are those of the signed-in user; an `Authorization` header goes before it. This ' +
      'request, and each one with the cookie but GET and HEAD, needs the `Origin` of this server, else it is 403 and ' +
      'uses nothing up. The answer is that of `GET /auth/me`.',
    body: BrowserSessionRequest,
    bodyLimitBytes: refreshBodyLimitBytes,
    response: Me,
    refusalNames: { unauthenticated: ['two_factor_required', 'invalid_two_factor_code'], forbidden: ['signup_closed'] },
    handle: async ({ app, body, request, reply }) => {
      refuseForeignOrigin(app, request)
      const previous = readSessionCookie(app, request.headers.cookie)
      const { profile, token } = await openBrowserSession(app, { ...body, clientAddress: request.ip, previous })
      reply.header('Set-Cookie', sessionCookie(app, token))
      return profile
    },
  }),
  route('DELETE /auth/session', 'endSession', {
    roles: everybody,
    forSetup: true,
    summary: 'End the present session',
    description: 'Ends the login of the cookie or access token, and takes the cookie away.',
    response: LoggedOut,
    handle: ({ app, caller, reply }) => {
      if (caller.isBrowser) reply.header('Set-Cookie', noSessionCookie(app))
      return endOwnSession(app, caller)
    },
  }),
  route('GET /auth/options', 'getSignInOptions', {
    access: 'public',
    summary: 'How people sign in here',
    response: SignInOptions,
    handle: async ({ app: { config } }) => ({
      signup: config.signup !== 'closed',
      providers: Object.keys(config.oauthProviders),
      mail: config.systemFrom !== null,
    }),
  }),
]
