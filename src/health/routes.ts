import Type from 'typebox'
import { route } from '../platform/http/route.ts'
import { registry } from '../platform/metrics.ts'
import { checkReady } from './check-ready.ts'

const tag = 'Health'

export const healthRoutes = [
  route({
    method: 'GET',
    path: '/health',
    access: 'public',
    tag,
    summary: 'Whether the process runs',
    response: Type.Object({ status: Type.Literal('ok') }),
    handle: async () => ({ status: 'ok' }),
  }),
  route({
    method: 'GET',
    path: '/ready',
    access: 'public',
    tag,
    summary: 'Whether the process can serve',
    description: '503 while the database is out of reach or the process is shutting down.',
    response: Type.Object({ status: Type.Literal('ready') }),
    handle: ({ app }) => checkReady(app),
  }),
  route({
    method: 'GET',
    path: '/metrics',
    access: 'public',
    tag,
    summary: 'Prometheus metrics',
    response: Type.String(),
    produces: registry.contentType,
    handle: async ({ reply }) => reply.type(registry.contentType).send(await registry.metrics()),
  }),
]
