import { AuthenticationError, ConnectionError, PosthornError } from '../../sdk/src/errors.ts'
import { visible } from './output/visible.ts'

export const exitCodes =
  'Exit codes: 0 done, 1 refused, 2 called wrongly, 3 no good key, 4 out of reach, 130 interrupted.'

type Details = { status?: number | null; requestId?: string | null }

/** A command did not do its work. `name` is for programs. */
export class Failure extends Error {
  readonly exitCode: number
  readonly status: number | null
  readonly requestId: string | null
  constructor(exitCode: number, name: string, message: string, { status = null, requestId = null }: Details = {}) {
    super(message)
    this.name = name
    this.exitCode = exitCode
    this.status = status
    this.requestId = requestId
  }
}

/** The command was called wrongly. The message says what would be right. */
export function usageFailure(message: string): Failure {
  return new Failure(2, 'usage', message)
}

export function keyFailure(message: string): Failure {
  return new Failure(3, 'no_key', message)
}

type Told = { exitCode: number; status: number | null; name: string; message: string; requestId: string | null }

/** Returns what is told of an error. Errors that are neither refusals nor failures are bugs, or of the system. */
export function toldOf(error: unknown): Told {
  if (error instanceof Failure || error instanceof PosthornError) {
    const { status, name, requestId } = error
    return { exitCode: exitCodeOf(error), status, name, message: withoutKeys(messageOf(error)), requestId }
  }
  const { message, code } = error as NodeJS.ErrnoException
  return {
    exitCode: 1,
    status: null,
    name: code ? code.toLowerCase() : 'failed',
    message: withoutKeys(message),
    requestId: null,
  }
}

/** Hides API keys, which may have been given in the place of something else. */
export function withoutKeys(text: string): string {
  return text.replaceAll(/\bph_\w+/g, 'ph_…')
}

/** The message of several faults names the first one only. */
function messageOf(error: Failure | PosthornError): string {
  const faults = error instanceof PosthornError ? error.errors : []
  return faults.length > 1 ? faults.map(({ path, message }) => `${path}: ${message}`).join(' ') : error.message
}

function exitCodeOf(error: Failure | PosthornError): number {
  if (error instanceof Failure) return error.exitCode
  if (error instanceof AuthenticationError) return 3
  return error instanceof ConnectionError || isOfProxy(error) ? 4 : 1
}

/** True if a proxy says that it does not reach the server, whose own answers have an id. */
function isOfProxy({ status, requestId }: PosthornError): boolean {
  return requestId === null && [502, 503, 504].includes(status ?? 0)
}

/** Returns the one document that programs read on stderr. */
export function failureDocument({ status, name, message, requestId }: Told): string {
  return `${JSON.stringify({ error: { status, name, message, requestId } })}\n`
}

/** Returns the line for people: the name, what happened and what to do, the request id. */
export function failureLine(told: Told): string {
  const { name, requestId } = told
  const request = requestId === null ? '' : ` (request ${requestId})`
  const message = Object.hasOwn(advised, name) ? advised[name]!(told) : told.message
  return `${visible(`${name}: ${message}${request}`)}\n`
}

/** Messages that name a command, in place of those of the server, which name the path of a request. */
const advised: Record<string, (told: Told) => string> = {
  domain_not_verified: ({ message }) => {
    const [domain] = message.split(' ')
    return `${domain} is not verified. Run: posthorn domains verify ${domain}`
  },
  authentication_error: ({ message }) => `${message} Run: posthorn login`,
  connection_error: ({ message }) =>
    `${message} Is the server running? Its address is that of --url, POSTHORN_URL or the profile.`,
}
