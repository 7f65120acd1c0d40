import { type Route, routesOf } from '../../platform/http/route.ts'
import { everybody } from '../../teams/roles/roles.ts'
import { EmailWasVerified, MailRequested, Verification } from '../schema.ts'
import { resendVerification } from './resend.ts'
import { verifyEmail } from './verify.ts'

const route = routesOf({ access: 'user', tag: 'User auth' }, { changes: 'account' })

export const verificationRoutes: Route[] = [
  route('POST /auth/verify-email', 'verifyAddress', {
    access: 'public',
    summary: 'Verify the email address',
    description:
      'Takes the token of the link that was mailed at sign-up. It works once, within 24 hours; a token that was used, has ' +
      'expired or never existed is 400 `invalid_token`.',
    body: Verification,
    response: EmailWasVerified,
    refusalNames: { invalid: ['invalid_token'] },
    handle: ({ app, body }) => verifyEmail(app, body.token),
  }),
  route('POST /auth/verify-email/resend', 'resendVerification', {
    roles: everybody,
    summary: 'Mail the link again',
    description:
      'Three an hour, and 30 an hour from one network, then 429. 409 if the address is verified already, or if the server cannot send mail to its users: ' +
      '`SYSTEM_FROM` is not set, or its domain is not verified. 422 `recipient_suppressed` if the address is on the ' +
      'suppression list of `SYSTEM_TEAM`. None of these counts as one of the three.',
    response: MailRequested,
    refusals: ['notFound', 'conflict', 'limitExceeded'],
    refusalNames: { unprocessable: ['recipient_suppressed'] },
    handle: ({ app, caller, request }) => resendVerification(app, caller, request.ip),
  }),
]
