import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { type Route, route } from '../../../platform/http/route.ts'
import { Strict, Text } from '../../../platform/http/schema/schema.ts'
import { beginSignIn, type Step } from './begin.ts'
import { finishSignIn } from './finish.ts'

const shared = {
  access: 'public',
  tag: 'User auth',
  params: Strict({ provider: Text({ maxLength: 100, description: 'As named by the operator.' }) }),
  response: Type.String({ description: 'Never sent: each answer is a redirect.' }),
  produces: 'text/html; charset=utf-8',
} as const

export const browserOauthRoutes: Route[] = [
  route('GET /auth/oauth/:provider', 'openProvider', {
    ...shared,
    refusals: ['notFound'],
    summary: 'Sign in through a provider in a browser',
    description:
      'Redirects to the provider (302), with state, nonce and PKCE (`S256`). They are kept for ten minutes in an encrypted ' +
      'cookie of this browser. Register `PUBLIC_URL/auth/oauth/{provider}/callback` at the provider.',
    query: Strict({
      next: Type.Optional(
        Text({
          maxLength: 1000,
          description: 'The page to open then, such as `/app/emails`. Paths outside `/app` are ignored.',
        }),
      ),
    }),
    handle: async ({ app, params, query, request, reply }) =>
      lead(reply, await beginSignIn(app, { ...params, next: query.next, cookies: request.headers.cookie })),
  }),
  route('GET /auth/oauth/:provider/callback', 'returnFromProvider', {
    ...shared,
    changes: 'account',
    refusals: ['notFound'],
    summary: 'Finish a sign-in in a browser',
    description:
      'The provider leads the browser here. Opens a browser session as `POST /auth/session` does and redirects to `next` ' +
      '(302). An account with two-factor is asked for its code at each sign-in. A refused sign-in, and an answer that this ' +
      'browser has not asked for, lead to the sign-in page. Accounts are created and joined as by `POST /auth/oauth`.',
    // Providers add parameters of their own.
    anyQuery: true,
    async handle({ app, params, request, reply }) {
      const query = request.query as Record<string, unknown>
      const callback = { ...params, query, cookies: request.headers.cookie, clientAddress: request.ip }
      return lead(reply, await finishSignIn(app, callback))
    },
  }),
]

function lead(reply: FastifyReply, { location, cookies }: Step): FastifyReply {
  if (cookies.length > 0) reply.header('Set-Cookie', cookies)
  return reply.header('Cache-Control', 'no-store').redirect(location, 302)
}
