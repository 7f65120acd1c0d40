import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, invalidFields, type RefusalKind, unavailable } from '../errors.ts'
import { describeGone, isDatabaseGone } from '../sql/gone.ts'
import { dialectOf } from './dialect.ts'
import { routeOf } from './route.ts'
import { fieldErrors } from './schema/validation.ts'

export const statusOf: Record<RefusalKind, { status: number; name: string }> = {
  invalid: { status: 400, name: 'validation_error' },
  unauthenticated: { status: 401, name: 'authentication_error' },
  forbidden: { status: 403, name: 'authorization_error' },
  notFound: { status: 404, name: 'not_found' },
  methodNotAllowed: { status: 405, name: 'method_not_allowed' },
  tooSlow: { status: 408, name: 'request_timeout' },
  conflict: { status: 409, name: 'conflict' },
  gone: { status: 410, name: 'gone' },
  preconditionFailed: { status: 412, name: 'precondition_failed' },
  tooLarge: { status: 413, name: 'payload_too_large' },
  unsupported: { status: 415, name: 'unsupported_media_type' },
  unprocessable: { status: 422, name: 'unprocessable' },
  limitExceeded: { status: 429, name: 'rate_limit_exceeded' },
  providerFailed: { status: 502, name: 'provider_error' },
  unavailable: { status: 503, name: 'unavailable' },
}

type ErrorAnswer = { status: number; body: Record<string, unknown>; retryAfterSeconds?: number }

function answerOf(refusal: DomainError): ErrorAnswer {
  const { status, name: usual } = statusOf[refusal.kind]
  const { name, errors, extra, body, retryAfterSeconds } = refusal.details
  const named = {
    status_code: status,
    name: name ?? usual,
    message: refusal.message,
    ...(errors && { errors }),
    ...extra,
  }
  return { status, body: body ?? named, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
}

/**
 * Fastify's error handler. Refusals are answered by the table; any other error is a bug and shows only the request id.
 */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = errorOf(thrown)
  const refusal = refusalOf(error, request)
  if (!refusal) {
    request.log.error({ err: error, reqId: request.id }, 'internal error')
    request.errorName = 'internal_error'
    const message = `Something went wrong here. Tell the operator the request id ${request.id}.`
    const said = dialectOf(request)?.refuse({ refusal, status: 500, message }, request)
    return reply.status(500).send(said?.body ?? { status_code: 500, name: 'internal_error', message })
  }
  const answer = answerOf(refusal)
  request.errorName = nameOf(refusal, answer)
  if (answer.status === 401) reply.header('WWW-Authenticate', 'Bearer')
  if (answer.retryAfterSeconds !== undefined) reply.header('Retry-After', Math.ceil(answer.retryAfterSeconds))
  // The rest of the body may never arrive.
  if (answer.status === 408) reply.header('Connection', 'close')
  const said = dialectOf(request)?.refuse({ refusal, status: answer.status, message: refusal.message }, request)
  if (said) return reply.status(said.status).send(said.body)
  return reply.status(answer.status).send(batchAnswer(refusal, request) ?? answer.body)
}

function errorOf(thrown: unknown): FastifyError {
  return (thrown instanceof Error ? thrown : new Error(`thrown: ${typeof thrown}`)) as FastifyError
}

/** True for an error that is no refusal and no outage, which `answerError` answers with 500. */
export function isUnexpected(thrown: unknown): boolean {
  const error = errorOf(thrown)
  return !(error instanceof DomainError || error.validation || isDatabaseGone(error) || otherClientError(error))
}

/** Returns the name in a refusal's body. SMS and batches have bodies of their own. */
function nameOf({ kind }: DomainError, { body }: ErrorAnswer): string {
  const name = body.name ?? body.error
  return typeof name === 'string' ? name.slice(0, 100) : statusOf[kind].name
}

function refusalOf(error: FastifyError, request: FastifyRequest): DomainError | null {
  if (error instanceof DomainError) return error
  if (error.validation) return invalidFields(fieldErrors(error))
  if (isDatabaseGone(error)) {
    const { forLog, forCallers } = describeGone(error)
    request.log.warn({ err: error, reqId: request.id }, forLog)
    return unavailable(forCallers)
  }
  return otherClientError(error)
}

/** Converts a refusal by Fastify, such as of a URL that cannot be decoded. */
function otherClientError(error: FastifyError): DomainError | null {
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new DomainError('unsupported', 'The header Content-Type is not a media type. Send application/json.')
  }
  const isClientError = error.code?.startsWith('FST_ERR_') && error.statusCode && error.statusCode < 500
  return isClientError ? new DomainError('invalid', error.message) : null
}

/**
 * Returns the answer to a refused batch. For `emails[3].to: …` it is the answer of a single send with the index. A
 * fault of the whole batch has the usual answer, with the same two fields.
 */
function batchAnswer(refusal: DomainError, request: FastifyRequest): Record<string, unknown> | null {
  const batchOf = routeOf(request)?.batchOf
  if (!batchOf || refusal.kind !== 'invalid' || refusal.details.body) return null
  const first = refusal.details.errors?.[0]
  const match = /^(\w+)\[(\d+)\]\.?(.*)$/.exec(first?.path ?? '')
  if (!first || match?.[1] !== batchOf) return { ...answerOf(refusal).body, error: refusal.message, index: null }
  return { error: match[3] ? `${match[3]}: ${first.message}` : first.message, index: Number(match[2]) }
}
