import { type Route, routesOf } from '../../platform/http/route.ts'
import { everybody } from '../../teams/roles/roles.ts'
import {
  MailRequested,
  PasswordChange,
  PasswordForgotten,
  PasswordReset,
  PasswordWasChanged,
  PasswordWasReset,
} from '../schema.ts'
import { changePassword } from './change.ts'
import { forgotPassword } from './forgot.ts'
import { resetPassword } from './reset.ts'

const route = routesOf({ access: 'user', tag: 'User auth' }, { changes: 'account' })

export const passwordRoutes: Route[] = [
  route('POST /auth/password/forgot', 'requestPasswordReset', {
    access: 'public',
    summary: 'Ask for a link that sets the password',
    description:
      'The answer is the same whether or not the address has an account. Where it has, and the server sends mail to its ' +
      'users, a link is mailed that is good for an hour. In an hour, three mails for one account and 30 for one client ' +
      'are sent.',
    body: PasswordForgotten,
    response: MailRequested,
    handle: ({ app, body, request }) => forgotPassword(app, body.email, request.ip),
  }),
  route('POST /auth/password/reset', 'resetPassword', {
    access: 'public',
    summary: 'Set the password by a link',
    description:
      'Takes the token of a link, which works once and verifies the address. Every session of the account ends; its second ' +
      'factor stays. A mailed link on an account whose address had never been verified also removes second factors, API ' +
      'keys and linked providers, since another person may have made the account. A token that was used, has expired or ' +
      'never existed is 400 `invalid_token`.',
    body: PasswordReset,
    response: PasswordWasReset,
    refusals: ['unavailable'],
    refusalNames: { invalid: ['invalid_token'] },
    handle: ({ app, body, request }) => resetPassword(app, { ...body, clientAddress: request.ip }),
  }),
  route('POST /auth/password', 'changePassword', {
    roles: everybody,
    summary: 'Change the password',
    description:
      'Every other session of the account ends, and so do links to reset the password. A wrong `currentPassword` is 400 ' +
      '`invalid_password`; five wrong ones of a session in 15 minutes are 429. An account without a password gets one by ' +
      'a reset link.',
    body: PasswordChange,
    response: PasswordWasChanged,
    refusals: ['limitExceeded', 'unavailable'],
    refusalNames: { invalid: ['invalid_password'] },
    handle: ({ app, caller, body }) => changePassword(app, caller, body),
  }),
]
