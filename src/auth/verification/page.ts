import Type from 'typebox'
import { DomainError } from '../../platform/errors.ts'
import { page, showPage } from '../../platform/http/page.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Strict } from '../../platform/http/schema.ts'
import { LinkToken } from '../schema.ts'
import { verifyEmail } from './verify.ts'

const shared = {
  access: 'public',
  tag: 'User auth',
  path: '/app/verify',
  query: Strict({ token: LinkToken }),
  response: Type.String(),
  produces: 'text/html; charset=utf-8',
  internal: true,
} as const

/** The page that the mailed link opens. A GET changes nothing, because mail programs open links too. */
export const verifyPageRoutes: Route[] = [
  route({
    ...shared,
    method: 'GET',
    summary: 'Ask whether to verify the address',
    handle: async ({ reply }) => showPage(reply, questionPage),
  }),
  route({
    ...shared,
    method: 'POST',
    summary: 'Verify the address',
    takes: 'form',
    body: Strict({}),
    bodyOptional: true,
    async handle({ app, query: { token }, reply }) {
      try {
        await verifyEmail(app, token)
        return showPage(reply, donePage)
      } catch (error) {
        if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error
        return showPage(reply.status(400), refusalPage(error.message))
      }
    },
  }),
]

const questionPage = page(
  'Verify your address',
  `<h1>Verify your address</h1>
      <p>Do this only if you made the account yourself.</p>
      <form method="post">
        <button>Verify</button>
      </form>`,
)

const donePage = page(
  'Address verified',
  '<h1>Your address is verified</h1>\n      <p role="status">You can close this page.</p>',
)

/** `fault` is one of our own sentences and holds no HTML. */
function refusalPage(fault: string): string {
  return page(
    'Not verified',
    `<h1>Your address is not verified</h1>\n      <p role="alert">${fault}</p>\n      <p>The account's settings mail a new link.</p>`,
  )
}
