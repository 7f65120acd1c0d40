import type { FastifyRequest } from 'fastify'
import { isOfSender } from '../emails/messages/accept/refuse.ts'
import { DomainError, type RefusalKind } from '../platform/errors.ts'
import { type Dialect, type Refused, unservedAt } from '../platform/http/dialect.ts'
import { theirName } from './names.ts'
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
  const isMissingKey = refusal.kind === 'unauthenticated' && request.headers.authorization === undefined
  return isMissingKey ? { status: 401, name: 'missing_api_key' } : saidOf(refusal, status)
}

/** An unserved path is refused with one of these: `invalid` if its end stands where another noun has an id. */
const unservedKinds: RefusalKind[] = ['invalid', 'notFound', 'methodNotAllowed']

/** Returns the words in which Resend would refuse, for answers that hold refusals. */
export function theirMessage(refusal: DomainError): string {
  return saidOf(refusal, 422).message ?? refusal.message
}

function saidOf(refusal: DomainError, status: number): Said {
  const { kind, details, message, cause } = refusal
  if (cause instanceof DomainError) return saidOf(cause, status)
  if (kind === 'invalid') return details.body ? { status: 502, name: 'application_error' } : invalidField(refusal)
  if (kind === 'forbidden') return forbidden(refusal)
  if (details.name === 'idempotency_key_reused') return { status: 409, name: 'invalid_idempotent_request' }
  if (kind === 'unavailable' && message.includes('Idempotency-Key')) {
    return { status: 409, name: 'concurrent_idempotent_requests' }
  }
  const isDaily = String(details.body?.error).startsWith('DAILY_')
  const name = isDaily ? 'daily_quota_exceeded' : (names[kind] ?? 'validation_error')
  return { status: statuses[kind] ?? status, name }
}

const names: Partial<Record<RefusalKind, string>> = {
  unauthenticated: 'invalid_api_key',
  notFound: 'not_found',
  methodNotAllowed: 'method_not_allowed',
  limitExceeded: 'rate_limit_exceeded',
  providerFailed: 'application_error',
  unavailable: 'application_error',
}

/** Statuses that differ from ours, and those of refusals within a batch, whose own status is that of the batch. */
const statuses: Partial<Record<RefusalKind, number>> = {
  ...{ unauthenticated: 403, conflict: 422, limitExceeded: 429, notFound: 404, unprocessable: 422 },
}

function forbidden(refusal: DomainError): Said {
  if (refusal.message.includes('needs an API key with full_access')) {
    return { status: 401, name: 'restricted_api_key', message: 'This API key is restricted to only send emails.' }
  }
  return { status: 403, name: isOfSender(refusal) ? 'validation_error' : 'invalid_access' }
}

function invalidField({ details, message }: DomainError): Said {
  const [fault, ...more] = details.errors ?? []
  if (!fault) return { status: 422, name: 'validation_error', message }
  const field = theirPath(fault.path)
  if (field === 'Idempotency-Key') return { status: 400, name: 'invalid_idempotency_key', message }
  if (fault.message.startsWith('is not valid JSON')) return { status: 400, name: 'validation_error', message }
  if (fault.message === 'is required')
    return { status: 422, name: 'missing_required_field', message: `Missing \`${field}\` field.` }
  const others = more.length > 0 ? ` (and ${more.length} more)` : ''
  const usual = field.startsWith('attachments') ? 'invalid_attachment' : 'validation_error'
  const name = fault.message === 'must be a UUID' ? 'invalid_parameter' : usual
  return { status: 422, name, message: `The \`${field}\` field ${fault.message}.${others}` }
}

const theirs = new Map([
  ['templateId', 'template.id'],
  ['templateVariables', 'template.variables'],
  ['endpointUrl', 'endpoint'],
])

/** Returns the path of a field as Resend names it. Names that the caller chose, such as of headers, stay. */
function theirPath(path: string): string {
  const [head = '', ...rest] = path.split(/(?=[.[])/)
  const isOwn = /^(headers|tags|properties|variables)$/.test(head)
  return [theirs.get(head) ?? theirName(head), ...(isOwn ? rest : rest.map(theirName))].join('')
}
