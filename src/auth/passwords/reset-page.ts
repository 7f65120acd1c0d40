import Type from 'typebox'
import { DomainError } from '../../platform/errors.ts'
import { page, showPage } from '../../platform/http/page.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Strict, Text } from '../../platform/http/schema.ts'
import { faultFinder } from '../../platform/http/validation.ts'
import { LinkToken, PasswordReset } from '../schema.ts'
import { resetPassword } from './reset.ts'

const shared = {
  access: 'public',
  tag: 'User auth',
  path: '/app/reset',
  query: Strict({ token: LinkToken }),
  response: Type.String(),
  produces: 'text/html; charset=utf-8',
  internal: true,
} as const

/** The page that the link of `posthorn user create` opens. A GET changes nothing, because programs open links too. */
export const resetPageRoutes: Route[] = [
  route({
    ...shared,
    method: 'GET',
    summary: 'Ask for a new password',
    handle: async ({ reply }) => showPage(reply, questionPage(null)),
  }),
  route({
    ...shared,
    method: 'POST',
    summary: 'Set the password',
    takes: 'form',
    body: Strict({ password: Text({ maxLength: 1000 }) }),
    async handle({ app, query: { token }, body: { password }, request, reply }) {
      const [fault] = faultsOf({ token, password })
      if (fault) return showPage(reply.status(400), questionPage(`The password ${fault.message}.`))
      try {
        await resetPassword(app, { token, password, clientAddress: request.ip })
        return showPage(reply, donePage)
      } catch (error) {
        if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error
        return showPage(reply.status(400), questionPage(error.message))
      }
    },
  }),
]

const faultsOf = faultFinder(PasswordReset)

/** Renders the form. `fault` is one of our own sentences and holds no HTML. */
function questionPage(fault: string | null): string {
  return page(
    'Set your password',
    `<h1>Set your password</h1>
      ${fault === null ? '' : `<p role="alert">${fault}</p>`}
      <form method="post">
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="new-password" minlength="8" maxlength="128" required autofocus>
        <button>Set password</button>
      </form>`,
  )
}

const donePage = page(
  'Password set',
  '<h1>Your password is set</h1>\n      <p role="status">You can sign in with it now. You can close this page.</p>',
)
