import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

/** Gives every answer helmet's headers. They are the same for all answers, so helmet makes them once. */
export function sendSafeHeaders(server: FastifyInstance, isHttps: boolean): void {
  const headers = makeHeaders(isHttps)
  server.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
}

function makeHeaders(isHttps: boolean): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => Object.assign(headers, { [name]: value }),
    removeHeader: () => undefined,
  }
  const write = helmet({
    // For answers that are no page. Each page has a policy of its own.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isHttps,
  })
  write({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error
  })
  return headers
}
