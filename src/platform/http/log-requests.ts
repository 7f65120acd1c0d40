import type { FastifyInstance } from 'fastify'
import type { App } from '../../context.ts'
import { keptAddress } from '../network/network.ts'
import { noteRequest } from '../request-log/note.ts'

const pathMax = 500

declare module 'fastify' {
  interface FastifyRequest {
    /** The `name` of the refusal that the request is answered with. */
    errorName: string | null
  }
}

/**
 * Notes each request of a key or a user once it is answered. Requests without a caller are left out, since paths such
 * as `/unsubscribe/…` hold tokens; so is the query, which may hold addresses.
 */
export function logRequests(server: FastifyInstance, app: App): void {
  server.decorateRequest('errorName', null)
  if (app.config.requestLog === 'off') return
  server.addHook('onResponse', (request, reply, done) => {
    const { caller, id, url, method, ip: address, errorName } = request
    if (caller) {
      const end = url.indexOf('?')
      const path = url.slice(0, Math.min(end === -1 ? pathMax : end, pathMax))
      noteRequest(app, {
        teamId: caller.teamId,
        id,
        method,
        path,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        apiKeyId: caller.kind === 'apiKey' ? caller.id : null,
        userId: caller.kind === 'user' ? caller.id : null,
        address: keptAddress(app.config, address),
        errorName,
      })
    }
    done()
  })
}
