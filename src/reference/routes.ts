import Type from 'typebox'
import { route } from '../platform/http/route.ts'
import { prepareDocument } from './openapi.ts'
import { pagePolicy, preparePage, prepareScript } from './page.ts'
import { sendPrepared } from './prepared.ts'

export const referenceRoutes = [
  route({
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    tag: 'Reference',
    summary: 'This API as an OpenAPI 3.1 document',
    response: Type.Object({ openapi: Type.String({ examples: ['3.1.0'] }) }, { additionalProperties: true }),
    async handle({ app, request, reply }) {
      // The page of the reference has no origin, and the document is the same for everybody.
      reply.header('Access-Control-Allow-Origin', '*')
      return sendPrepared(await prepareDocument(request.server.routeTable, app.config.publicUrl), request, reply)
    },
  }),
  route({
    method: 'GET',
    path: '/docs',
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
  route({
    method: 'GET',
    path: '/docs/reference.js',
    access: 'public',
    tag: 'Reference',
    summary: 'The script of the page',
    internal: true,
    response: Type.String(),
    produces: 'text/javascript; charset=utf-8',
    async handle({ request, reply }) {
      reply.header('Cross-Origin-Resource-Policy', 'cross-origin')
      return sendPrepared(await prepareScript(), request, reply)
    },
  }),
]
