import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { App } from '../context.ts'
import { route } from '../platform/http/route.ts'
import { Resource } from '../platform/http/schema/schema.ts'
import { documentFor, type OpenapiVersion } from './document.ts'
import { pagePolicy, preparePage, prepareScript } from './page.ts'
import { sendPrepared } from './prepared.ts'

const shared = {
  access: 'public',
  tag: 'Reference',
  response: Resource(
    'OpenapiDocument',
    { openapi: Type.String({ examples: ['3.1.0'] }) },
    { additionalProperties: true },
  ),
} as const

export const referenceRoutes = [
  route('GET /openapi.json', 'getOpenapi', {
    ...shared,
    summary: 'This API as an OpenAPI 3.1 document',
    handle: ({ app, request, reply }) => sendDocument(app, request, reply, '3.1'),
  }),
  route('GET /openapi-3.0.json', 'getOpenapi30', {
    ...shared,
    summary: 'This API as an OpenAPI 3.0 document',
    description: 'The same in the older form, for tools that do not read 3.1.',
    handle: ({ app, request, reply }) => sendDocument(app, request, reply, '3.0'),
  }),
  route('GET /docs', 'getReference', {
    access: 'public',
    tag: 'Reference',
    summary: 'This API as a page to read and try out',
    response: Type.String(),
    produces: 'text/html; charset=utf-8',
    async handle({ request, reply }) {
      // Browsers refuse or warn of what the other two ask for in a page without an origin.
      reply.headers({ 'Content-Security-Policy': pagePolicy, 'Cross-Origin-Opener-Policy': 'unsafe-none' })
      reply.header('Origin-Agent-Cluster', '?0')
      return sendPrepared(await preparePage(), request, reply)
    },
  }),
  route('GET /docs/reference.js', null, {
    access: 'public',
    tag: 'Reference',
    summary: 'The script of the page',
    response: Type.String(),
    produces: 'text/javascript; charset=utf-8',
    async handle({ request, reply }) {
      reply.header('Cross-Origin-Resource-Policy', 'cross-origin')
      return sendPrepared(await prepareScript(), request, reply)
    },
  }),
]

async function sendDocument(app: App, request: FastifyRequest, reply: FastifyReply, openapi: OpenapiVersion) {
  // The page of the reference has no origin, and the document is the same for everybody.
  reply.header('Access-Control-Allow-Origin', '*')
  return sendPrepared(await documentFor(app, request, openapi), request, reply)
}
