import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { App } from '../context.ts'
import { forbidden, unauthenticated } from '../platform/errors.ts'
import { type Route, route } from '../platform/http/route.ts'
import { AnyObject } from '../platform/http/schema/schema.ts'
import { everybody } from '../teams/roles/roles.ts'
import { RulesQuery, readRules } from './rules.ts'

/** As for emails: 25 MiB of attachments are 34 MiB as base64. */
const bodyLimitBytes = 40 * 1024 * 1024
/** As for a batch of emails, and the members of the message around it. */
const membersMax = 50_100

export const mcpRoutes: Route[] = [
  route('POST /mcp', null, {
    access: 'send',
    roles: everybody,
    inTest: 'walled',
    changes: 'nothing',
    tag: 'MCP',
    summary: 'Answer a message of the Model Context Protocol',
    query: RulesQuery,
    body: AnyObject(),
    response: Type.Unknown(),
    produces: 'application/json',
    bodyLimitBytes,
    membersMax,
    async handle({ app, caller, body, query, request, reply }) {
      refuseOtherPages(app, request)
      const rules = readRules(query)
      // Loaded at its first use, so that the start of the server does not wait for it.
      const { answerMessage } = await import('./answer.ts')
      return answerMessage(body, caller, rules, request, reply)
    },
  }),
]

/** Pages of other origins may not act with a key that they came by, nor with the cookie of a browser. */
function refuseOtherPages(app: App, { headers: { origin, authorization }, protocol, host }: FastifyRequest): void {
  const ours = [new URL(app.publicUrl()).origin, `${protocol}://${host}`]
  if (origin !== undefined && !ours.includes(origin)) {
    throw forbidden(`Pages of ${origin.slice(0, 100)} may not use this. Connect from a program, without Origin.`)
  }
  if (authorization === undefined) throw unauthenticated('Send an API key: Authorization: Bearer <key>.')
}
