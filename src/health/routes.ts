import Type from 'typebox'
import { routesOf } from '../platform/http/route.ts'
import { Resource } from '../platform/http/schema/schema.ts'
import { registry } from '../platform/log/metrics.ts'
import { checkReady } from './check-ready.ts'
import { measureQueues } from './measure-queues.ts'
import { refuseScraper } from './refuse-scraper.ts'
import { securityText } from './security-txt.ts'

const route = routesOf({ access: 'public', tag: 'Health' })

export const healthRoutes = [
  route('GET /health', 'getHealth', {
    whileDraining: true,
    summary: 'Whether the process runs',
    unlimited: true,
    response: Resource('Health', { status: Type.Literal('ok') }),
    handle: async () => ({ status: 'ok' }),
  }),
  route('GET /ready', 'getReadiness', {
    whileDraining: true,
    summary: 'Whether the process can serve',
    unlimited: true,
    description:
      '503 while the database is out of reach, is read-only or refuses writes, such as on a full disk, or the process is shutting down.',
    response: Resource('Readiness', { status: Type.Literal('ready') }),
    handle: ({ app }) => checkReady(app),
  }),
  route('GET /metrics', 'getServerMetrics', {
    whileDraining: true,
    summary: 'Prometheus metrics',
    description:
      'With `METRICS_TOKEN` set, requests need `Authorization: Bearer <token>`. Without it, production answers only requests from the same machine.',
    response: Type.String(),
    produces: registry.contentType,
    refusals: ['unauthenticated', 'forbidden'],
    async handle({ app, request, reply }) {
      refuseScraper(app.config, request)
      await measureQueues(app)
      return reply.type(registry.contentType).send(await registry.metrics())
    },
  }),
  route('GET /.well-known/security.txt', 'getSecurityContact', {
    summary: 'Whom to tell of a vulnerability',
    description: 'The contact for vulnerabilities (RFC 9116). 404 if the operator has not set `SECURITY_CONTACT`.',
    response: Type.String(),
    produces: 'text/plain; charset=utf-8',
    refusals: ['notFound'],
    async handle({ app, reply }) {
      const text = securityText(app)
      return reply.type('text/plain; charset=utf-8').header('Cache-Control', 'public, max-age=3600').send(text)
    },
  }),
]
