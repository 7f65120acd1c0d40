import Type from 'typebox'
import { route } from '../platform/http/route.ts'
import { openApiDocument } from './openapi.ts'
import { pageHtml, pagePolicy, readScript } from './page.ts'

export const referenceRoutes = [
  route({
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    tag: 'Reference',
    summary: 'This API as an OpenAPI 3.1 document',
    response: Type.Object({ openapi: Type.String({ examples: ['3.1.0'] }) }, { additionalProperties: true }),
    handle: async ({ app, request }) => openApiDocument(request.server.routeTable, app.config.publicUrl),
  }),
  route({
    method: 'GET',
    path: '/docs',
    access: 'public',
    tag: 'Reference',
    summary: 'This API as a page to read and try out',
    response: Type.String(),
    produces: 'text/html; charset=utf-8',
    handle: async ({ reply }) =>
      reply.type('text/html; charset=utf-8').header('Content-Security-Policy', pagePolicy).send(pageHtml),
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
      const script = await readScript(request.headers['accept-encoding'])
      reply
        .type('text/javascript; charset=utf-8')
        .header('Vary', 'Accept-Encoding')
        .header('Cache-Control', 'public, max-age=3600')
      if (script.gzipped) reply.header('Content-Encoding', 'gzip')
      return reply.send(script.content)
    },
  }),
]
