import { type Route, routesOf } from '../../platform/http/route.ts'
import { everybody } from '../../teams/roles/roles.ts'
import { disableTwoFactor } from './disable.ts'
import { findTwoFactorStatus } from './queries.ts'
import { replaceCodes } from './replace-codes.ts'
import { CodeRequest, Disabled, RecoveryCodes, Setup, Status, Verified } from './schema.ts'
import { setUpTwoFactor } from './setup.ts'
import { verifyTwoFactor } from './verify.ts'

const route = routesOf({ access: 'user', tag: 'User auth' }, { roles: everybody, changes: 'account' })

export const twoFactorRoutes: Route[] = [
  route('GET /auth/2fa/status', 'getTwoFactor', {
    forSetup: true,
    summary: 'Whether two-factor is on',
    response: Status,
    handle: ({ app, caller }) => findTwoFactorStatus(app.db, caller.id),
  }),
  route('POST /auth/2fa/setup', 'setUpTwoFactor', {
    forSetup: true,
    asksAgain: true,
    summary: 'Start two-factor setup',
    description:
      'Returns a new secret, which takes effect once `/auth/2fa/verify` confirms it. Starting again replaces it.',
    response: Setup,
    refusals: ['conflict'],
    handle: ({ app, caller }) => setUpTwoFactor(app, caller),
  }),
  route('POST /auth/2fa/verify', 'confirmTwoFactor', {
    forSetup: true,
    asksAgain: true,
    summary: 'Confirm two-factor setup',
    description: 'A wrong code is 400 `invalid_two_factor_code`; five wrong ones of a session in 15 minutes are 429.',
    body: CodeRequest,
    response: Verified,
    refusals: ['conflict'],
    refusalNames: { invalid: ['invalid_two_factor_code'] },
    handle: ({ app, caller, body }) => verifyTwoFactor(app, caller, body.code),
  }),
  route('POST /auth/2fa/disable', 'disableTwoFactor', {
    forSetup: true,
    summary: 'Disable two-factor',
    description:
      'Takes a code of the authenticator app or a recovery code. A wrong one is 400 `invalid_two_factor_code`.',
    body: CodeRequest,
    response: Disabled,
    refusals: ['conflict'],
    refusalNames: { invalid: ['invalid_two_factor_code'] },
    handle: ({ app, caller, body }) => disableTwoFactor(app, caller, body.code),
  }),
  route('POST /auth/2fa/recovery-codes', 'replaceRecoveryCodes', {
    summary: 'Replace the recovery codes',
    description:
      'Returns ten new codes, which are shown only here; the old ones end. Takes a code of the authenticator app or a ' +
      'recovery code. A wrong one is 400 `invalid_two_factor_code`; five wrong ones of a session in 15 minutes are 429.',
    body: CodeRequest,
    response: RecoveryCodes,
    refusals: ['conflict'],
    refusalNames: { invalid: ['invalid_two_factor_code'] },
    handle: ({ app, caller, body }) => replaceCodes(app, caller, body.code),
  }),
]
