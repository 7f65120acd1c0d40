import type { App } from '../../context.ts'
import { DomainError, type RefusalKind } from '../../platform/errors.ts'
import { describeGone, isDatabaseGone } from '../../platform/sql/gone.ts'

/** A reply code and an enhanced code (RFC 5321 4.2, RFC 3463). */
type Codes = `${4 | 5}${number} ${4 | 5}.${number}.${number}`

/** The codes for each kind of refusal. 4xx if the same message may be accepted later. */
const codesOf: Record<RefusalKind, Codes> = {
  invalid: '554 5.6.0',
  unauthenticated: '535 5.7.8',
  forbidden: '550 5.7.1',
  notFound: '550 5.7.1',
  methodNotAllowed: '502 5.5.1',
  tooSlow: '451 4.4.2',
  conflict: '554 5.7.1',
  gone: '554 5.7.1',
  preconditionFailed: '554 5.7.1',
  tooLarge: '552 5.3.4',
  unsupported: '554 5.6.1',
  unprocessable: '550 5.7.1',
  limitExceeded: '451 4.7.1',
  providerFailed: '451 4.4.1',
  unavailable: '451 4.3.0',
}

/**
 * Returns the reply for an error. Logs an unexpected error without details in the reply, and lets the client try again.
 */
export function failureReply(app: App, error: unknown): string {
  if (error instanceof DomainError) return reply(codesFor(error), error.message)
  if (isDatabaseGone(error)) {
    const { forLog, forCallers } = describeGone(error)
    app.log.warn({ err: error }, forLog)
    return reply('451 4.3.0', forCallers)
  }
  app.log.error({ err: error }, 'internal error in SMTP submission')
  return reply('451 4.3.0', 'Something went wrong here. Try again later, and tell the operator.')
}

/**
 * Returns 452 for the daily limit and a plan's limit, which a short wait does not lift; 451 for the limit per second.
 */
function codesFor({ kind, details }: DomainError): Codes {
  if (details.name === 'plan_limit_exceeded') return '452 4.3.1'
  const isDaily = kind === 'limitExceeded' && details.body !== undefined
  return isDaily ? '452 4.7.1' : codesOf[kind]
}

const lineLengthMax = 400 // below the 512 of RFC 5321 4.5.3.1.5, which include the codes
const linesMax = 20

/** Formats a reply on up to 20 lines. Replaces characters beyond ASCII by `?`. */
export function reply(codes: string, text: string): string {
  const [code, enhanced] = codes.split(' ')
  const plain = text.replace(/[^ -~]/g, '?')
  const lines = plain.match(lineForm) ?? ['']
  const last = Math.min(lines.length, linesMax) - 1
  return lines
    .slice(0, last + 1)
    .map((line, index) => `${code}${index < last ? '-' : ' '}${enhanced ? `${enhanced} ` : ''}${line.trim()}\r\n`)
    .join('')
}

const lineForm = new RegExp(`.{1,${lineLengthMax}}(?: |$)|.{1,${lineLengthMax}}`, 'g')
