import Type from 'typebox'
import { showPage } from '../platform/http/page.ts'
import { type Route, routesOf } from '../platform/http/route.ts'
import { confirmationPage, questionPage } from './page.ts'
import { unsubscribeByToken } from './unsubscribe.ts'

const route = routesOf({ access: 'public', tag: 'Unsubscribe' })

const UnsubscribeQuery = Type.Object({
  token: Type.Optional(Type.String({ description: 'From the link in an email; one for each contact.' })),
})

/** No limits: mail gateways open every link, and providers send many opt-outs from few addresses. */
const forMailSoftware = { unlimited: true, forgiving: true } as const

export const unsubscribeRoutes: Route[] = [
  route('GET /unsubscribe', 'askToUnsubscribe', {
    summary: 'Ask whether to unsubscribe',
    description: 'A page with a button, the same for every token. Fetching it changes nothing.',
    ...forMailSoftware,
    query: UnsubscribeQuery,
    response: Type.String(),
    produces: 'text/html; charset=utf-8',
    handle: async ({ reply }) => showPage(reply, questionPage),
  }),
  route('POST /unsubscribe', 'unsubscribe', {
    summary: 'Unsubscribe',
    description:
      'Called by the button of the page, or with one click (RFC 8058). The body is ignored. A missing or unknown token, and one of a contact that has unsubscribed before, gets the same confirmation.',
    ...forMailSoftware,
    query: UnsubscribeQuery,
    response: Type.String(),
    produces: 'text/html; charset=utf-8',
    async handle({ app, query, reply }) {
      await unsubscribeByToken(app, tokenOf(query))
      return showPage(reply, confirmationPage)
    },
  }),
]

/** The query has not been checked, so a token that is given twice is a list. */
function tokenOf({ token }: { token?: unknown }): string {
  const first = Array.isArray(token) ? token[0] : token
  return typeof first === 'string' ? first : ''
}
