import type { FastifyInstance } from 'fastify'
import { Counter, Histogram } from 'prom-client'
import { registry } from '../log/metrics.ts'
import { routeOf } from './route.ts'

const requests = new Counter({
  name: 'posthorn_http_requests_total',
  help: 'Requests answered, by route and status.',
  labelNames: ['method', 'route', 'status'],
  registers: [registry],
})
const seconds = new Histogram({
  name: 'posthorn_http_request_seconds',
  help: 'Time to answer a request.',
  labelNames: ['method', 'route'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
  registers: [registry],
})

/** Counts by the route's pattern, not by the path: a label for each id would grow without bound. */
export function requestMetrics(server: FastifyInstance): void {
  server.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request)
    const labels = { method: route ? request.method : 'any', route: route?.path ?? 'unknown' }
    requests.inc({ ...labels, status: reply.statusCode })
    seconds.observe(labels, reply.elapsedTime / 1000)
    const ms = Math.round(reply.elapsedTime)
    request.log.debug({ reqId: request.id, ...labels, status: reply.statusCode, ms }, 'request')
  })
}
