/**
 * The kinds of refusals. A refusal tells the caller what was wrong and what to do. The domain throws it without a
 * status code. HTTP, SMTP and workflows each map the kinds to their own codes.
 */
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'methodNotAllowed'
  | 'tooSlow'
  | 'conflict'
  | 'gone'
  | 'preconditionFailed'
  | 'tooLarge'
  | 'unsupported'
  | 'unprocessable'
  | 'limitExceeded'
  | 'providerFailed'
  | 'unavailable'

export type FieldError = { path: string; message: string }

type RefusalDetails = {
  /** The machine-readable error name. The kind's usual name if left out. */
  name?: string
  errors?: FieldError[]
  /** Members that are added to `{status_code, name, message}`. */
  extra?: Record<string, unknown>
  /** A body that replaces `{status_code, name, message}`. */
  body?: Record<string, unknown>
  retryAfterSeconds?: number
}

export class DomainError extends Error {
  readonly kind: RefusalKind
  readonly details: RefusalDetails
  constructor(kind: RefusalKind, message: string, details: RefusalDetails = {}) {
    super(message)
    this.kind = kind
    this.details = details
  }
}

/** Refuses a value of the request. `path` is the field as the caller wrote it, such as `to[1]`. */
export function invalid(path: string, message: string): DomainError {
  return new DomainError('invalid', `${path}: ${message}`, { errors: [{ path, message }] })
}

/** Refuses a request with several faults, all named at once. */
export function invalidFields(errors: FieldError[]): DomainError {
  const first = errors[0]
  const message = first ? `${first.path}: ${first.message}` : 'The request is not valid.'
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see errors)` : ''
  return new DomainError('invalid', message + more, { errors })
}

export function unauthenticated(message: string, name = 'authentication_error'): DomainError {
  return new DomainError('unauthenticated', message, { name })
}

export function forbidden(message: string, name = 'authorization_error'): DomainError {
  return new DomainError('forbidden', message, { name })
}

/** Refuses a resource that does not exist or belongs to another team, with the same answer. */
export function notFound(noun: string): DomainError {
  return new DomainError('notFound', `There is no such ${noun}. Check the id and the team of the API key.`)
}

/** Returns the row that a query finds. Throws `notFound` without a row. */
export async function orNotFound<Row>(noun: string, found: Promise<Row | null | undefined>): Promise<Row> {
  const row = await found
  if (row === undefined || row === null) throw notFound(noun)
  return row
}

export function conflict(message: string, name = 'conflict'): DomainError {
  return new DomainError('conflict', message, { name })
}

/** Refuses to read something that is not kept any more. */
export function gone(name: string, message: string): DomainError {
  return new DomainError('gone', message, { name })
}

export function unprocessable(name: string, message: string, extra: Record<string, unknown> = {}): DomainError {
  return new DomainError('unprocessable', message, { name, extra })
}

/** Refuses further requests or messages for a while. `retryAfterSeconds` becomes `Retry-After`. */
export function rateLimited(message: string, retryAfterSeconds: number): DomainError {
  return new DomainError('limitExceeded', message, { name: 'rate_limit_exceeded', retryAfterSeconds })
}

/** Refuses a request beyond a daily limit. Each channel has a different body. */
export function limitExceeded(message: string, body: Record<string, unknown>, retryAfterSeconds?: number): DomainError {
  return new DomainError('limitExceeded', message, { body, ...(retryAfterSeconds && { retryAfterSeconds }) })
}

/** Reports that the provider refused or was out of reach, and nothing was sent. The same request may be repeated. */
export function providerFailed(message: string): DomainError {
  return new DomainError('providerFailed', message, { name: 'provider_error' })
}

export function unavailable(message: string, retryAfterSeconds = 5): DomainError {
  return new DomainError('unavailable', message, { name: 'unavailable', retryAfterSeconds })
}
