import type { FastifyRequest } from 'fastify'
import { DomainError, type RefusalKind } from '../platform/errors.ts'
import { type Dialect, type Refused, unservedAt } from '../platform/http/dialect.ts'
import { unserved } from './unserved.ts'

type Said = { status: number; name: string; message?: string }

const prefix = '/resend/'

/** Refusals in Resend's words: `{statusCode, name, message}`. Every answer has its three headers of the limit. */
export const resendWords: Omit<Dialect, 'routes'> = {
  prefix,
  refuse(refused, request) {
    const { status, name, message = refused.message } = said(refused, request)
    return { status, body: { statusCode: status, name, message } }
  },
  windowHeaders: ({ limit, remaining, resetAtSeconds }, now) => ({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(Math.max(0, Math.ceil(resetAtSeconds - now.getTime() / 1000))),
  }),
}

function said(refused: Refused, request: FastifyRequest): Said {
  const { refusal, status } = refused
  if (!refusal) return { status, name: 'internal_server_error' }
  const missing = unservedAt({ prefix, unserved, kinds: unservedKinds }, refused, request)
  if (missing) return { status: 501, name: 'application_error', message: missing }
  return saidOf(refusal, status, request.headers.authorization !== undefined)
}

/** Returns the words in which Resend would refuse, for answers that hold refusals. */
export function theirMessage(refusal: DomainError): string {
  return saidOf(refusal, 422, true).message ?? refusal.message
}

/** An unserved path is refused with one of these: `invalid` if its end stands where another noun has an id. */
const unservedKinds: RefusalKind[] = ['invalid', 'notFound', 'methodNotAllowed']

function saidOf(refusal: DomainError, status: number, hasKey: boolean): Said {
  const { kind, details, message } = refusal
  if (refusal.cause instanceof DomainError) return saidOf(refusal.cause, statuses[refusal.cause.kind] ?? status, hasKey)
  if (kind === 'invalid') return details.body ? { status: 502, name: 'application_error' } : invalidField(refusal)
  if (kind === 'unauthenticated') {
    return hasKey ? { status: 403, name: 'invalid_api_key' } : { status: 401, name: 'missing_api_key' }
  }
  if (kind === 'forbidden') return forbidden(refusal)
  if (kind === 'conflict') {
    return details.name === 'idempotency_key_reused'
      ? { status: 409, name: 'invalid_idempotent_request' }
      : { status: 422, name: 'validation_error' }
  }
  if (kind === 'limitExceeded') {
    const isDaily = typeof details.body?.error === 'string' && details.body.error.startsWith('DAILY_')
    return { status, name: isDaily ? 'daily_quota_exceeded' : 'rate_limit_exceeded' }
  }
  if (kind === 'unavailable' && message.includes('Idempotency-Key')) {
    return { status: 409, name: 'concurrent_idempotent_requests' }
  }
  return { status, name: names[kind] ?? 'validation_error' }
}

const names: Partial<Record<RefusalKind, string>> = {
  notFound: 'not_found',
  methodNotAllowed: 'method_not_allowed',
  providerFailed: 'application_error',
  unavailable: 'application_error',
}

/** The statuses of refusals within a batch, whose own status is that of the batch. */
const statuses: Partial<Record<RefusalKind, number>> = { limitExceeded: 429, notFound: 404, unprocessable: 422 }

function forbidden({ details, message }: DomainError): Said {
  if (message.includes('needs an API key with full_access')) {
    return { status: 401, name: 'restricted_api_key', message: 'This API key is restricted to only send emails.' }
  }
  const isSender = details.name === 'domain_not_verified' || message.includes('only from its own domain')
  return { status: 403, name: isSender ? 'validation_error' : 'invalid_access' }
}

function invalidField({ details, message }: DomainError): Said {
  const fault = details.errors?.[0]
  if (!fault) return { status: 422, name: 'validation_error', message }
  const field = theirName(fault.path)
  if (field === 'Idempotency-Key') return { status: 400, name: 'invalid_idempotency_key', message }
  if (fault.message.startsWith('is not valid JSON')) return { status: 400, name: 'validation_error', message }
  if (fault.message === 'is required')
    return { status: 422, name: 'missing_required_field', message: `Missing \`${field}\` field.` }
  const more = details.errors!.length > 1 ? ` (and ${details.errors!.length - 1} more)` : ''
  const words = `The \`${field}\` field ${fault.message}.${more}`
  if (fault.message === 'must be a UUID') return { status: 422, name: 'invalid_parameter', message: words }
  return {
    status: 422,
    name: field.startsWith('attachments') ? 'invalid_attachment' : 'validation_error',
    message: words,
  }
}

const theirs: Record<string, string> = {
  templateId: 'template.id',
  templateVariables: 'template.variables',
  endpointUrl: 'endpoint',
}

/** Returns the path of a field as Resend names it. Names that the caller chose, such as of headers, stay. */
function theirName(path: string): string {
  const [head = '', ...rest] = path.split(/(?=[.[])/)
  const own = /^(headers|tags|properties|variables)$/.test(head)
  const snake = (part: string) => part.replace(/[a-z][A-Z]/g, ([low, high]) => `${low}_${high!.toLowerCase()}`)
  const named = theirs[head] ?? (head === 'Idempotency-Key' ? head : snake(head))
  return [named, ...rest.map((part) => (own ? part : snake(part)))].join('')
}
