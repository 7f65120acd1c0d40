import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Caller } from '../../context.ts'
import { addRoute, defaultBodyLimitBytes } from './add-route.ts'
import { answersFaults } from './answer-fault.ts'
import { readBodies } from './body/read-body.ts'
import { answerBrokenAddress } from './broken-address.ts'
import { answerError } from './errors.ts'
import { endEventStreams } from './event-stream.ts'
import { readForwardedFor } from './headers/forwarded-for.ts'
import { allowOpaqueOrigin } from './headers/opaque-origin.ts'
import { sendSafeHeaders } from './headers/safe-headers.ts'
import { logRequests } from './log-requests.ts'
import { admit, admitAnybody, isStillAdmitted } from './overload/admit.ts'
import { boundAnswers } from './overload/bound-answers.ts'
import { connectionsOfNetworkUsual, limitConnections } from './overload/crowd.ts'
import type { HttpParts } from './parts.ts'
import { answerBrokenProtocol } from './protocol-errors.ts'
import { requestMetrics } from './request-metrics.ts'
import type { Route } from './route.ts'
import { compileSerializer } from './schema/serialization.ts'
import { compileValidator } from './schema/validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    /** When the caller was identified. */
    admittedAt: Date | null
  }
  interface FastifyInstance {
    /** The route table, for the routes that describe it. */
    routeTable: readonly Route[]
    /** False if the caller of a request that is still being answered may not make it any more. */
    isStillAdmitted(request: FastifyRequest): Promise<boolean>
  }
}

/** Creates the HTTP server: hooks in the order of a request, then every route of the table. */
export async function createServer(parts: HttpParts): Promise<FastifyInstance> {
  const { app } = parts
  const server = Fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger of its own for each request is rarely used; lines about a request name its id instead.
    childLoggerFactory: (logger) => logger,
    bodyLimit: defaultBodyLimitBytes,
    // It comes before all else that reads a request.
    genReqId: (request) => {
      readForwardedFor(request)
      return app.newId()
    },
    trustProxy: app.config.trustProxy.length > 0 ? [...app.config.trustProxy] : false,
    // Parameters of paths are ids or public keys.
    routerOptions: { maxParamLength: 500 },
    // Slow headers and bodies end here, so that they do not hold a socket.
    requestTimeout: 120_000,
    // `admit` answers during draining, with the usual headers. The same holds for a request without Host.
    return503OnClosing: false,
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => {
      admitAnybody(parts, request, reply).then(
        () => answerBrokenAddress(error, request, reply),
        (refusal) => answerError(refusal, request, reply),
      )
    },
    // `answerBrokenProtocol` answers these.
    clientErrorHandler: () => undefined,
  })
  server.decorateRequest('caller', null)
  server.decorateRequest('admittedAt', null)
  server.decorate('routeTable', parts.routes)
  server.decorate('dialects', parts.dialects ?? [])
  server.decorate('isStillAdmitted', (request: FastifyRequest) => isStillAdmitted(parts, request))
  server.setValidatorCompiler(compileValidator)
  server.setSerializerCompiler(compileSerializer)
  server.setErrorHandler(answersFaults(parts))
  sendSafeHeaders(server, (app.config.publicUrl ?? '').startsWith('https:'))
  requestMetrics(server)
  logRequests(server, app)
  server.addHook('onRequest', async (request, reply) => allowOpaqueOrigin(request, reply))
  server.addHook('onRequest', (request, reply) => admit(parts, request, reply))
  server.addHook('preClose', async () => endEventStreams(app))
  readBodies(server, app)
  const answers = boundAnswers(server, app.clock)
  for (const route of parts.routes) addRoute(server, parts, route, answers)
  // `admit` has refused by then. Without a handler here, Fastify would run no hook for unknown paths.
  server.setNotFoundHandler((_request, reply) => reply.status(404).send())
  answerBrokenProtocol(server.server, parts)
  const { connectionsMax = connectionsOfNetworkUsual } = parts
  limitConnections(server.server, { trustProxy: app.config.trustProxy, connectionsMax })
  return server
}

/** Waits for requests in flight, and closes connections that become idle, which would stay open for a minute. */
export async function closeServer(server: FastifyInstance, graceMs: number): Promise<void> {
  const idle = setInterval(() => server.server.closeIdleConnections(), 50)
  const cut = setTimeout(() => server.server.closeAllConnections(), graceMs)
  await server.close()
  clearInterval(idle)
  clearTimeout(cut)
}
