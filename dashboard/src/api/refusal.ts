import { objectOf } from './objects.ts'

/** A fault of one field. `path` is the field as it was sent, such as `to[1]`. */
type FieldFault = { path: string; message: string }

/** The field of refusals that have a name of their own and list no fields. */
const fields: Record<string, string> = { invalid_password: 'currentPassword', invalid_two_factor_code: 'code' }

/** The server's answer to a request that it refused. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly faults: FieldFault[]
  /** Seconds after which the request may be repeated, if the server said so. */
  readonly retryAfter: number | null
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>, retryAfter: number | null = null) {
    super(messageOf(status, body))
    this.name = 'Refusal'
    this.status = status
    this.code = textOf(body.name) ?? textOf(body.error) ?? 'error'
    const field = fields[this.code]
    const named = field ? [{ path: field, message: this.message }] : []
    this.faults = Array.isArray(body.errors) ? body.errors.filter(isFault) : named
    this.retryAfter = retryAfter
    this.body = body
  }
}

/** The request did not reach the server, or its answer did not arrive. */
export class Unreachable extends Error {
  /** The server may have done what was asked, and would do it again if it were asked again. */
  readonly mayBeDone: boolean

  constructor(mayBeDone: boolean) {
    super("Posthorn can't be reached.")
    this.name = 'Unreachable'
    this.mayBeDone = mayBeDone
  }
}

/** Returns the message at a field. `to` also gets the faults of `to[1]` and `to.name`. */
export function faultAt(error: unknown, field: string): string | undefined {
  if (!(error instanceof Refusal)) return undefined
  return error.faults.find(({ path }) => isAt(path, field))?.message
}

/** Tells whether each fault of the refusal is at one of these fields, so that none must be shown on top. */
export function isAllAt(error: unknown, fields: string[]): boolean {
  if (!(error instanceof Refusal) || error.faults.length === 0) return false
  return error.faults.every(({ path }) => fields.some((field) => isAt(path, field)))
}

/**
 * Returns the error without its faults at these fields; undefined if none is left. An error without such faults stays.
 */
export function withoutFaultsAt(error: unknown, fields: string[]): unknown {
  if (!(error instanceof Refusal)) return error
  const left = error.faults.filter(({ path }) => !fields.some((field) => isAt(path, field)))
  if (left.length === error.faults.length) return error
  return left.length === 0 ? undefined : new Refusal(error.status, { ...error.body, errors: left }, error.retryAfter)
}

/** Tells whether the thing is not there: only a 404 says so. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Refusal && error.status === 404
}

/** Tells whether the team requires a second factor that the person has not set up. */
export function isTwoFactorMissing(error: unknown): boolean {
  return error instanceof Refusal && error.code === twoFactorMissing
}

function isAt(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`)
}

const twoFactorMissing = 'two_factor_setup_required'

function messageOf(status: number, body: Record<string, unknown>): string {
  // The server's own message names an endpoint.
  if (body.name === twoFactorMissing)
    return 'This team requires two-factor of every member. Turn it on under Security, or switch to another team.'
  return textOf(body.message) ?? dailyLimitOf(body) ?? textOf(body.error) ?? `The server answered ${status}. Try again.`
}

/** Says a daily limit. Its refusals have figures in the place of a message. */
function dailyLimitOf({ error, limit, remaining, spent_today: spent }: Record<string, unknown>): string | undefined {
  if (typeof limit !== 'number') return undefined
  if (error === 'DAILY_EMAIL_LIMIT_EXCEEDED') return limitWords(limit, remaining, limit === 1 ? 'email' : 'emails')
  if (error === 'DAILY_SMS_LIMIT_EXCEEDED')
    return limit === 0 ? 'The plan has no SMS.' : limitWords(limit, remaining, 'SMS')
  if (error !== 'DAILY_SMS_SPEND_LIMIT_EXCEEDED') return undefined
  const spentWords = typeof spent === 'number' ? ` ${dollars.format(spent)} of it is spent.` : ''
  return `Today’s limit of ${dollars.format(limit)} for SMS would be exceeded.${spentWords} ${startsAnew}`
}

/** One request may want more than the rest of a day. */
function limitWords(limit: number, remaining: unknown, noun: string): string {
  const isReached = typeof remaining !== 'number' || remaining <= 0
  const words = isReached ? 'is reached' : `has ${plain.format(remaining)} left, which is not enough`
  return `Today’s limit of ${plain.format(limit)} ${noun} ${words}. ${startsAnew}`
}

const startsAnew = 'It starts anew at midnight UTC.'
const plain = new Intl.NumberFormat('en')
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isFault(value: unknown): value is FieldFault {
  const { path, message } = objectOf(value)
  return typeof path === 'string' && typeof message === 'string'
}
