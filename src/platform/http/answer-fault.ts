import type { FastifyReply, FastifyRequest } from 'fastify'
import { unauthenticated } from '../errors.ts'
import { answerError, isUnexpected } from './errors.ts'
import { isStillAdmitted } from './overload/admit.ts'
import type { HttpParts } from './parts.ts'

/**
 * Makes Fastify's error handler. An unexpected error is answered with 401 if the caller may not make the request any
 * more: rows that the request needed, such as that of a deleted team, were removed while it ran.
 */
export function answersFaults(parts: HttpParts) {
  async function answerUnexpected(thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
    if (await isStillAdmitted(parts, request)) return answerError(thrown, request, reply)
    request.log.warn({ err: thrown, reqId: request.id }, 'a request failed after its caller had ended')
    const message = 'The key or session of this request ended while it ran, so it could not be completed.'
    return answerError(unauthenticated(message), request, reply)
  }
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply) =>
    request.caller && isUnexpected(thrown)
      ? answerUnexpected(thrown, request, reply)
      : answerError(thrown, request, reply)
}
