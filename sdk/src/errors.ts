/** A fault of the request: `path` is the field as it was sent, such as `emails[3].to`. */
export type FieldError = { path: string; message: string }

export type ErrorDetails = {
  /** The status of the answer. Null if none came. */
  status: number | null
  /** For programs, such as `domain_not_verified`. */
  name: string
  errors?: FieldError[]
  /** Names the request in the server's log. Null if no answer came. */
  requestId?: string | null
  /** How long the server asks to wait. Null if it does not say. */
  retryAfterMs?: number | null
  /** The body of the answer as it came. */
  body?: unknown
  cause?: unknown
}

/** Each refusal and failure of a request. The subclasses tell the status apart. */
export class PosthornError extends Error {
  readonly status: number | null
  readonly errors: FieldError[]
  readonly requestId: string | null
  readonly retryAfterMs: number | null
  readonly body: unknown
  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = details.name
    this.status = details.status
    this.errors = details.errors ?? []
    this.requestId = details.requestId ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
    this.body = details.body
  }
}

/** 400: the request is not valid. `errors` names each fault. */
export class ValidationError extends PosthornError {}
/** 401: the API key is missing or not valid. */
export class AuthenticationError extends PosthornError {}
/** 403: the key may not do this. */
export class PermissionError extends PosthornError {}
/** 404: there is no such resource in the team. */
export class NotFoundError extends PosthornError {}
/** 409 and 412: the state of the resource does not allow it. */
export class ConflictError extends PosthornError {}
/** 422: the request is well-formed and cannot be carried out. */
export class UnprocessableError extends PosthornError {}
/** 429: a limit is reached. */
export class RateLimitError extends PosthornError {}
/** 500 and above. */
export class ServerError extends PosthornError {}
/** No answer came: the server cannot be reached, or the connection was cut. */
export class ConnectionError extends PosthornError {}
/** No answer came within `timeoutMs`. */
export class TimeoutError extends ConnectionError {}

const byStatus: Record<number, typeof PosthornError> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  422: UnprocessableError,
  429: RateLimitError,
}

/**
 * Returns the error of an answer. Batches, refused recipients and daily limits have bodies of their own:
 * `{error, index}`, `{error, message}`, `{error, limit}`. An `error` in capitals is a name, any other one a message.
 */
export function errorOf(response: Response, body: unknown): PosthornError {
  const { status, headers, statusText } = response
  const said = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const code = typeof said.error === 'string' && /^[A-Z][A-Z_]+$/.test(said.error) ? said.error : null
  const text = [said.message, code ? sentenceOf(code, said) : said.error, statusText].find(
    (each) => typeof each === 'string' && each !== '',
  )
  const usual = status === 429 ? 'rate_limit_exceeded' : status === 400 ? 'validation_error' : `http_${status}`
  const Kind = byStatus[status] ?? (status >= 500 ? ServerError : PosthornError)
  return new Kind(String(text ?? `The server answered ${status}.`), {
    status,
    name: typeof said.name === 'string' ? said.name : (code ?? usual),
    errors: Array.isArray(said.errors) ? said.errors : [],
    requestId: headers.get('x-request-id'),
    retryAfterMs: retryAfterOf(headers.get('retry-after')),
    body,
  })
}

/** Makes a message of a code without one, and of the numbers beside it. */
function sentenceOf(code: string, said: Record<string, unknown>): string {
  const words = code[0] + code.slice(1).toLowerCase().replaceAll('_', ' ')
  const numbers = Object.entries(said).filter(([, value]) => typeof value === 'number')
  return `${[words, numbers.map(([name, value]) => `${name} ${value}`).join(', ')].filter(Boolean).join(': ')}.`
}

/** Reads `Retry-After`, in seconds or as a date. */
function retryAfterOf(header: string | null): number | null {
  if (header === null) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
