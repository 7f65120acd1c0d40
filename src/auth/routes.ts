import { type Route, routesOf } from '../platform/http/route.ts'
import { everybody } from '../teams/roles/roles.ts'
import { renewSessionCookie } from './browser-sessions/cookie.ts'
import { login } from './login.ts'
import { getMe, renameUser } from './me.ts'
import { browserOauthRoutes } from './oauth/browser/routes.ts'
import { signInWithProvider } from './oauth/sign-in.ts'
import { passwordRoutes } from './passwords/routes.ts'
import {
  LoggedOut,
  LoginRequest,
  Me,
  MeChanges,
  OauthRequest,
  RefreshRequest,
  refreshBodyLimitBytes,
  Session,
  Signup,
} from './schema.ts'
import { logout } from './sessions/logout.ts'
import { refreshSession } from './sessions/refresh.ts'
import { signup } from './signup.ts'
import { ownTeamRoutes } from './teams/routes.ts'
import { verificationRoutes } from './verification/routes.ts'

const route = routesOf({ access: 'user', tag: 'User auth' }, { changes: 'account' })

export const authRoutes: Route[] = [
  route('POST /auth/signup', 'signUp', {
    access: 'public',
    summary: 'Create an account',
    description: 'Creates a user with a new team and signs it in. 403 if the operator has closed sign-up.',
    body: Signup,
    response: Session,
    refusals: ['forbidden', 'conflict', 'unavailable'],
    handle: ({ app, body, request }) => signup(app, { ...body, clientAddress: request.ip }),
  }),
  route('POST /auth/login', 'logIn', {
    access: 'public',
    summary: 'Log in',
    description:
      'With two-factor on and no `code`: 401 `two_factor_required`; with a wrong one 401 `invalid_two_factor_code`. After ' +
      '5 bad passwords or codes for an account, or 20 from one address, in 15 minutes: 429 with `Retry-After`. A network ' +
      'that the account has signed in from before has 5 of its own. Where sign-up is closed, an account that is in no team is ' +
      '403 `signup_closed`: it joins one by an invitation.',
    body: LoginRequest,
    response: Session,
    refusals: ['limitExceeded', 'unavailable'],
    refusalNames: { unauthenticated: ['two_factor_required', 'invalid_two_factor_code'], forbidden: ['signup_closed'] },
    handle: ({ app, body, request }) => login(app, { ...body, clientAddress: request.ip }),
  }),
  route('POST /auth/refresh', 'refreshLogin', {
    access: 'public',
    bodyLimitBytes: refreshBodyLimitBytes,
    summary: 'Exchange a refresh token',
    description:
      'Each refresh token can be exchanged once; concurrent requests with the same one within 10 s all succeed. ' +
      'Sending a used one ends the login.',
    body: RefreshRequest,
    response: Session,
    refusals: ['unauthenticated'],
    handle: ({ app, body }) => refreshSession(app, body.refreshToken),
  }),
  route('POST /auth/oauth', 'logInWithProvider', {
    access: 'public',
    summary: 'Sign in through a provider',
    description:
      'The code of an OpenID Connect provider, asked for with PKCE (`S256`) and the scopes `openid email ' +
      'profile`. Creates an account at the first sign-in. A provider is added to an existing account if the provider and the ' +
      'account have both verified the address, else 409: log in, or reset the password. On an account with two-factor ' +
      'each sign-in is 401 `two_factor_required` with a `pendingToken` that expires after five minutes: ask for the code, and ' +
      'send `pendingToken` and `twoFactorCode` here. A wrong code is 401 `invalid_two_factor_code`, with a new ' +
      '`pendingToken`; wrong codes count like those of a login.',
    body: OauthRequest,
    response: Session,
    refusals: ['conflict', 'limitExceeded', 'providerFailed'],
    refusalNames: { unauthenticated: ['two_factor_required', 'invalid_two_factor_code'], forbidden: ['signup_closed'] },
    handle: ({ app, body, request }) => signInWithProvider(app, body, request.ip),
  }),
  route('POST /auth/logout', 'logOut', {
    access: 'public',
    bodyLimitBytes: refreshBodyLimitBytes,
    summary: 'Log out',
    description:
      'Ends the login of this refresh token, with its access tokens. An expired or unknown token gets the same answer.',
    body: RefreshRequest,
    response: LoggedOut,
    handle: ({ app, body }) => logout(app, body.refreshToken),
  }),
  route('GET /auth/me', 'getMe', {
    forSetup: true,
    summary: 'The signed-in user',
    response: Me,
    refusals: ['notFound'],
    handle: ({ app, caller, request, reply }) => {
      renewSessionCookie(app, caller, request, reply)
      return getMe(app, caller)
    },
  }),
  route('PATCH /auth/me', 'updateMe', {
    roles: everybody,
    forSetup: true,
    summary: 'Change the own name',
    body: MeChanges,
    response: Me,
    refusals: ['notFound'],
    handle: ({ app, caller, body }) => renameUser(app, caller, body.name),
  }),
  ...browserOauthRoutes,
  ...passwordRoutes,
  ...verificationRoutes,
  ...ownTeamRoutes,
]
